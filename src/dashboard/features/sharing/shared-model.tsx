/** A model as shared: its files, read-only. */
import type { Model } from '../../../contract/model.ts';
import { decodeText, flattenTree } from '../../../formats/model-tree.ts';
import { PageHead } from '../../ui/page-head.tsx';
import classes from './sharing.module.css';

export function SharedModel({ model }: { model: Model }) {
  const flattened = flattenTree(model.content?.tree ?? []);
  const files = flattened.ok ? flattened.value.files : [];
  return (
    <>
      <PageHead
        title={model.name}
        facts={[`${files.length} ${files.length === 1 ? 'file' : 'files'}`, 'frozen']}
      />
      <ul className={classes.files}>
        {files.map(({ path, bytes }) => (
          <li key={path} className={classes.file}>
            <h2>{path}</h2>
            <pre>{decodeText(bytes) ?? `Binary file, ${bytes.length} bytes.`}</pre>
          </li>
        ))}
      </ul>
    </>
  );
}
