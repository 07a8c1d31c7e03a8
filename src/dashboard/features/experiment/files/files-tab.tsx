/** Files to download: draws in four formats, all plots, the program as it ran, and a folder to rerun elsewhere. */
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Experiment } from '../../../../contract/experiment.ts';
import { samplerStatistics } from '../../../../posterior/draws.ts';
import { firstLook } from '../../../../posterior/variable-kinds.ts';
import { isLiveStatus } from '../../../objects/live-status.ts';
import type { Access } from '../../../objects/object-queries.ts';
import { hasCapability } from '../../../objects/server.ts';
import { useAction } from '../../../objects/use-action.ts';
import { useClient } from '../../../objects/use-client.ts';
import { useConfig } from '../../../objects/use-config.ts';
import { formatCount } from '../../../ui/numbers.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { waitForFile } from '../../live/sample-address.ts';
import { drawsByChain, totalDraws } from '../../status/draw-counts.ts';
import { programAbsence } from '../../status/program-absence.ts';
import { chainsLeftOut } from '../../status/used-chains.ts';
import page from '../run/experiment.module.css';
import { hasOwnSampler } from '../run/run-facts.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import classes from './files-tab.module.css';

export interface FilesTabProps {
  readonly live: LiveExperiment;
  readonly access: Access;
  /** The server keeps past versions of programs. */
  readonly hasVersions: boolean;
}

/** Maximum number of variables in the zip of plots: few users look through more. */
const mostPlotted = 100;

const formats = [
  {
    fmt: 'csv',
    title: 'Draws as CSV',
    suffix: 'csv',
    text: 'One file, no header: chain, variable, value, in iteration order',
  },
  {
    fmt: 'arviz',
    title: 'Draws for ArviZ',
    suffix: 'tar',
    text: 'An archive with one netCDF file per chain, for arviz.from_netcdf and xarray',
  },
  {
    fmt: 'parquet',
    title: 'Draws as Parquet',
    suffix: 'parquet',
    text: 'One table, a row per draw and a column per variable, for arrow, polars, DuckDB and pandas',
  },
  {
    fmt: 'grist',
    title: 'Draws for Grist',
    suffix: 'grist',
    text: 'A document that Grist opens as a spreadsheet, with the summary',
  },
] as const;

export function FilesTab({ live, access, hasVersions }: FilesTabProps) {
  const client = useClient();
  const { experiment } = live;
  const id = experiment.short_id;
  const name = experiment.name || id;
  // the smallest number per chain is 0 as long as one waits to start
  const isEmpty = totalDraws(experiment, live.summary) === 0;
  const values = valuesText(live);
  const absence = access.shareId === undefined ? programAbsence(experiment) : 'shared';
  const hasProgram = absence === null || absence === 'deleted';
  const noProgram = absence === null ? null : 'The model was deleted, so its files cannot be read.';
  return (
    <section aria-label="Files" className={classes.fileList}>
      {formats.map(({ fmt, title, suffix, text }) => (
        <FileRow
          key={fmt}
          title={title}
          text={`${text}; ${values}.`}
          reason={isEmpty ? noDrawsText(experiment) : null}
          working="Generating the file…"
          fetchFile={async (signal) => {
            const url = await waitForFile(client, { id, access, fmt }, signal);
            const link = document.createElement('a');
            link.href = url;
            link.download = `${name}.${suffix}`;
            link.click();
          }}
        />
      ))}
      <PlotsRow live={live} name={name} />
      {hasProgram && (
        <>
          <FileRow
            title="The program"
            text={
              hasVersions
                ? 'Its files as they were when this ran, as a zip.'
                : 'Its files as they are now, as a zip.'
            }
            reason={noProgram}
            working="Packing the files…"
            fetchFile={async () => {
              const { modelZip } = await import('./run-zip.ts');
              saveFile(
                `${name}-program.zip`,
                'application/zip',
                await modelZip(client, experiment, hasVersions),
              );
            }}
          />
          <FileRow
            title="Take it with you"
            text="A folder to rerun this elsewhere: program, data, settings, and scripts for CmdStanPy, CmdStanR and Ergodic’s own engine."
            reason={noProgram}
            working="Packing the folder…"
            fetchFile={async () => {
              const { runZip } = await import('./run-zip.ts');
              saveFile(
                `${name}.zip`,
                'application/zip',
                await runZip(client, experiment, hasVersions),
              );
            }}
          />
        </>
      )}
    </section>
  );
}

const noDrawsText = ({ status }: Pick<Experiment, 'status'>) =>
  isLiveStatus(status) ? 'There are no draws yet.' : 'There are no draws.';

/** Drawn in the browser from the same draws as the plots of the page. */
function PlotsRow({ live, name }: { live: LiveExperiment; name: string }) {
  const client = useClient();
  const config = useConfig();
  const [step, setStep] = useState('');
  const rows = live.summary?.variables ?? [];
  const numPlotted = Math.min(mostPlotted, rows.filter(firstLook(rows)).length);
  return (
    <FileRow
      title="All plots"
      text={`Trace, density, ranks and autocorrelation of ${numPlotted === 1 ? '1 variable' : `${formatCount(numPlotted)} variables, parameters first,`} as SVG, each with its numbers as CSV, as a zip.`}
      reason={numPlotted === 0 ? noDrawsText(live.experiment) : null}
      working={`Drawing the plots… ${step}`}
      fetchFile={async (signal) => {
        const { plotsZip } = await import('./plots-zip.ts');
        const zip = await plotsZip(client, live, {
          most: mostPlotted,
          byVariable: hasCapability(config, 'draws') && hasCapability(config, 'summary'),
          signal,
          onProgress: (done, total) => setStep(`${done + 1} of ${total} variables`),
        });
        saveFile(`${name}-plots.zip`, 'application/zip', zip);
      }}
    />
  );
}

/**
 * Every file contains all draws of each chain, with `lp__` and the sampler's own columns; and, if chains are left out, a
 * column that says which.
 */
function valuesText({ experiment, summary, access }: LiveExperiment): string {
  const draws = totalDraws(experiment, summary);
  const hasSampler =
    hasOwnSampler(experiment) || (access.shareId !== undefined && hasSamplerColumns(summary));
  const isExact = drawsByChain(experiment, summary) !== null && hasSampler;
  if (!isExact) return `about ${formatCount(draws * experiment.n_variables)} values`;
  const marks = chainsLeftOut(experiment).length > 0 ? 1 : 0;
  const columns = experiment.n_variables + 1 + samplerStatistics.length + marks;
  return `${formatCount(draws * columns)} values`;
}

/** A share does not say what sampled it, but its summary has numbers that only the sampler's columns give. */
function hasSamplerColumns(summary: LiveExperiment['summary']): boolean {
  const chains = summary?.chains ?? [];
  return chains.some(({ step_size: size, ebfmi }) => size !== null && ebfmi !== null);
}

interface FileRowProps {
  readonly title: string;
  readonly text: ReactNode;
  /** Why it is not available now; null = it is. */
  readonly reason: string | null;
  readonly working: string;
  readonly fetchFile: (signal: AbortSignal) => Promise<void>;
}

function FileRow({ title, text, reason, working, fetchFile }: FileRowProps) {
  const [isDone, setDone] = useState(false);
  const control = useRef<AbortController>(undefined);
  useEffect(() => () => control.current?.abort(), []);
  const { run, isBusy, problem } = useAction(
    async () => {
      control.current = new AbortController();
      setDone(false);
      await fetchFile(control.current.signal);
    },
    { onDone: () => setDone(true) },
  );
  return (
    <article className={classes.fileRow} aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className={page.dim}>{reason ?? text}</p>
        <p role="status" className={classes.fileState} data-failed={problem !== null || undefined}>
          {isBusy && working}
          {!isBusy && isDone && 'Downloaded.'}
          {problem !== null && `The file could not be made: ${problem} The draws are not affected.`}
        </p>
      </div>
      <Button
        leftSection={<IconDownload size={16} />}
        disabled={reason !== null || isBusy}
        aria-label={`Download: ${title}`}
        onClick={() => void run()}
      >
        Download
      </Button>
    </article>
  );
}
