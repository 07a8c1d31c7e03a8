/** The models a new user finds: each complete with data, so that one click runs it. */
import type { GalleryModel } from './gallery-model.ts';
import { bioassay } from './models/bioassay.ts';
import { cheese } from './models/cheese.ts';
import { coalMines } from './models/coal-mines.ts';
import { doctors } from './models/doctors.ts';
import { eightSchools } from './models/eight-schools.ts';
import { eightSchoolsCentred } from './models/eight-schools-centred.ts';
import { gaussianProcess } from './models/gaussian-process.ts';
import { kidScores } from './models/kid-scores.ts';
import { mesquite } from './models/mesquite.ts';
import { mixture } from './models/mixture.ts';
import { nile } from './models/nile.ts';
import { oRings } from './models/o-rings.ts';
import { pumps } from './models/pumps.ts';
import { rats } from './models/rats.ts';

/** In the order they are shown: the best first run comes first. */
export const gallery: readonly GalleryModel[] = [
  eightSchools,
  eightSchoolsCentred,
  kidScores,
  oRings,
  bioassay,
  doctors,
  rats,
  pumps,
  nile,
  coalMines,
  mixture,
  cheese,
  mesquite,
  gaussianProcess,
];

export function findGalleryModel(slug: string): GalleryModel | undefined {
  return gallery.find((model) => model.slug === slug);
}
