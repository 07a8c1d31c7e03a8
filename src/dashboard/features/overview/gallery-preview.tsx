/** The first models of the gallery, for users who have none yet. Empty if the server has no gallery. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { galleryQueryOptions } from '../../objects/gallery.ts';
import { useClient } from '../../objects/use-client.ts';
import { Card } from '../../ui/card.tsx';
import { formatCount } from '../../ui/numbers.ts';
import classes from './overview.module.css';

/** The others are in the gallery. */
const shownEntries = 6;

export function GalleryPreview() {
  const entries = useQuery(galleryQueryOptions(useClient())).data;
  if (!entries || entries.length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="gallery-preview">
      <header>
        <h2 id="gallery-preview">Models to start with</h2>
        <Link to="/models/new">All {formatCount(entries.length)}</Link>
      </header>
      <div className={classes.gallery}>
        {entries.slice(0, shownEntries).map(({ name, summary }) => (
          <Card key={name} as="article" padded>
            <h3>
              <Link to="/models/new">{name}</Link>
            </h3>
            {summary && <p className={classes.dim}>{summary}</p>}
          </Card>
        ))}
      </div>
    </section>
  );
}
