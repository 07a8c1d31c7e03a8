/** Compiles the program that a command was given, with its data. */
import { basename } from 'node:path';
import { compileModel } from '../engine/compile-model.ts';
import { openStream } from '../engine/random-streams.ts';
import type { RunInputs } from './run-inputs.ts';

export const compileInputs = ({ modelPath, source, files, data, settings }: RunInputs) =>
  compileModel({
    source,
    fileName: basename(modelPath),
    files: new Map(Object.entries(files)),
    data,
    rng: openStream(settings.seed ?? 1, 0, 'transformed-data'),
  });
