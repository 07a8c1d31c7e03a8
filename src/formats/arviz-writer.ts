/** Writes draws as an ArviZ `InferenceData` in netCDF 4, variable by variable. */
import type { Group } from 'h5wasm';
import type { DataGroup, DrawGroup } from './arviz-names.ts';
import { draftName, type Hdf5 } from './hdf5.ts';

export interface ArvizAttributes {
  /** ISO 8601. */
  readonly createdAt: string;
  /** `Ergodic`, and its version. */
  readonly library: string;
  readonly libraryVersion: string;
  readonly modelName?: string;
  /** Our own attributes in addition to those of the schema. */
  readonly others?: Readonly<Record<string, string>>;
}

type Groups = DrawGroup | 'sample_stats';
export type ArvizGroupName = Groups | `warmup_${Groups}`;

export interface ArvizGroupShape {
  /** Their coordinates, all numbers or all names. */
  readonly chains: readonly (number | string)[];
  readonly numDraws: number;
}

export interface ArvizAxis {
  /** Empty: none. */
  readonly name: string;
  readonly labels: readonly string[];
}

export interface ArvizVariable {
  readonly name: string;
  /** Lengths of the axes after chain and draw. */
  readonly dims: readonly number[];
  /** Names of the axes, and labels along them, starting with index 1; an axis without a name gets one. */
  readonly axes?: readonly ArvizAxis[];
  /** Chain by chain, draw by draw (not in a group of data), then the variable's own axes, the last fastest. */
  readonly values: Float64Array;
  /** Integer and boolean columns are written as such if every value is one. */
  readonly type?: 'int' | 'bool';
}

export interface ArvizGroupWriter {
  add(variable: ArvizVariable): void;
}

export interface ArvizWriter {
  group(name: ArvizGroupName, shape: ArvizGroupShape): ArvizGroupWriter;
  /** A group without chains and draws. */
  dataGroup(name: DataGroup): ArvizGroupWriter;
  /** Returns the file. The writer must not be used afterwards. */
  finish(): Uint8Array;
  /** Releases the memory if the file is no longer wanted. */
  discard(): void;
}

/** The version of ArviZ's schema that the layout follows. */
const SCHEMA_VERSION = '1.3';

/**
 * Dimensions are HDF5 dimension scales attached to every variable, as netCDF 4 requires: `chain`, `draw`, and those of
 * the axes. Named ones have their labels and are shared by their variables; others are `theta_dim_0`, … from 0 on.
 */
export function createArvizWriter(hdf5: Hdf5, attributes: ArvizAttributes): ArvizWriter {
  const name = draftName();
  const file = new hdf5.File(name, 'w', { track_order: true });
  let isOpen = true;
  const close = () => {
    if (isOpen) file.close();
    isOpen = false;
  };
  writeAttributes(file, attributes);
  const addGroup = (groupName: string, shape: ArvizGroupShape | null) => {
    const group = file.create_group(groupName, true);
    writeAttributes(group, attributes);
    return openGroup(group, shape);
  };
  return {
    group: (groupName, shape) => addGroup(groupName, shape),
    dataGroup: (groupName) => addGroup(groupName, null),
    finish() {
      close();
      const bytes = hdf5.fs.readFile(name);
      hdf5.fs.unlink(name);
      return bytes;
    },
    discard() {
      close();
      if (hdf5.fs.analyzePath(name).exists) hdf5.fs.unlink(name);
    },
  };
}

function writeAttributes(target: Pick<Group, 'create_attribute'>, attributes: ArvizAttributes) {
  const { createdAt, library, libraryVersion, modelName = '', others = {} } = attributes;
  const entries: [string, string][] = [
    ['created_at', createdAt],
    ['creation_library', library],
    ['creation_library_version', libraryVersion],
    ['creation_library_language', 'TypeScript'],
    ['inference_library', library],
    ['inference_library_version', libraryVersion],
    ['arviz_schema_version', SCHEMA_VERSION],
    ['modeling_interface', modelName],
    ...Object.entries(others),
  ];
  for (const [key, value] of entries) if (value !== '') target.create_attribute(key, value);
}

/** `sample`: chains and draws are the first two dimensions of every variable; null: it has only its own dimensions. */
function openGroup(group: Group, sample: ArvizGroupShape | null): ArvizGroupWriter {
  const used = new Set<string>();
  const path = (name: string) => `${group.path}/${name}`;
  const addScale = (name: string, values: BigInt64Array | string[]) => {
    group.create_dataset({ name, data: values, shape: [values.length] }).make_scale(name);
    used.add(name);
  };
  const indices = (length: number) => BigInt64Array.from({ length }, (_, i) => BigInt(i));
  if (sample !== null) {
    addScale('chain', chainCoordinates(sample.chains));
    addScale('draw', indices(sample.numDraws));
  }
  const leading = sample === null ? [] : (['chain', 'draw'] as const);
  const lengths = sample === null ? [] : [sample.chains.length, sample.numDraws];
  const dimensions = new Map<string, string>();
  /** The same for every variable that has it, unless the length differs. */
  const namedScale = (axis: ArvizAxis, length: number): string => {
    const key = `${length} ${axis.name}`;
    const known = dimensions.get(key);
    if (known !== undefined) return known;
    const dimension = freeName(axis.name, used);
    dimensions.set(key, dimension);
    addScale(dimension, axis.labels.length === 0 ? indices(length) : coordinates(axis, length));
    return dimension;
  };
  return {
    add(variable) {
      const name = freeName(variable.name, used);
      used.add(name);
      const own = new Set<string>();
      const scales = variable.dims.map((length, axis) => {
        const named = variable.axes?.[axis];
        // A variable can have a dimension only once: the second axis of a square matrix gets a separate name.
        if (named !== undefined && named.name !== '' && !own.has(named.name)) {
          own.add(named.name);
          return namedScale(named, length);
        }
        const dimension = freeName(`${name}_dim_${axis}`, used);
        addScale(dimension, named?.labels.length ? coordinates(named, length) : indices(length));
        return dimension;
      });
      const { data, isBool } = typedValues(variable);
      const shape = [...lengths, ...variable.dims];
      const dataset = group.create_dataset({ name, data, shape });
      // How xarray writes booleans, and reads them back.
      if (isBool) dataset.create_attribute('dtype', 'bool');
      for (const [axis, scale] of [...leading, ...scales].entries())
        dataset.attach_scale(axis, path(scale));
    },
  };
}

function chainCoordinates(chains: ArvizGroupShape['chains']): BigInt64Array | string[] {
  return chains.every((chain) => typeof chain === 'number')
    ? BigInt64Array.from(chains.map(BigInt))
    : chains.map(String);
}

/** A missing label is replaced by the index, from 1 as in the program. */
function coordinates({ labels }: ArvizAxis, length: number): string[] {
  return Array.from({ length }, (_, i) => labels[i] || String(i + 1));
}

/** A variable must not have the name of a dimension. */
function freeName(name: string, used: ReadonlySet<string>): string {
  let free = name;
  while (used.has(free)) free += '_';
  return free;
}

function typedValues({ values, type }: ArvizVariable): {
  data: Float64Array | BigInt64Array | Int8Array;
  isBool: boolean;
} {
  if (type === 'bool' && values.every((value) => value === 0 || value === 1))
    return { data: Int8Array.from(values), isBool: true };
  if (type === 'int' && values.every(Number.isSafeInteger))
    return { data: BigInt64Array.from(values, BigInt), isBool: false };
  return { data: values, isBool: false };
}
