/** Runs of programs in other languages that a worker of ours carries out. */
export const programRuns = `
create table program_runs (
  experiment_id bigint primary key references experiments on delete cascade,
  -- How it ended is the experiment's own status.
  state text not null default 'queued' check (state in ('queued', 'running', 'ended')),
  -- python, julia, r
  runtime text not null,
  batch_id text not null,
  run_id text not null,
  -- As the program reads them.
  settings jsonb not null,
  worker_id bigint,
  -- Its own token, which opens this experiment only and dies with the run.
  token_id bigint,
  queued_at timestamptz not null default now()
);
create index program_runs_open on program_runs (queued_at) where state <> 'ended';
`;
