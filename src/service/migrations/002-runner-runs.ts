/** Runs of outside runners, and where their iterations stand in a chain. */
export const runnerRuns = `
-- One process of an outside runner: a batch is one start of sampling, a run one of its processes.
create table runner_runs (
  experiment_id bigint not null references experiments on delete cascade,
  batch_id text not null,
  run_id text not null,
  -- STOPPED: the owner stopped it; its next message is refused.
  status text not null check (status in ('RUN', 'SAMPLE_FIN', 'ERR', 'STOPPED')),
  -- What it said last of an error; the run's reason when it ends as ERR.
  error text not null default '',
  -- The last statistics it sent, by chain.
  stats jsonb not null default '{}',
  started_at timestamptz not null default now(),
  last_message_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (experiment_id, batch_id, run_id)
);

-- A source (batch and run) may have several stretches of a chain, when another wrote behind it meanwhile: from this
-- iteration of its own on, its draws stand "offset" further in the chain.
alter table runner_offsets add column from_iteration bigint not null default 1;
alter table runner_offsets drop constraint runner_offsets_pkey;
alter table runner_offsets add primary key (experiment_id, chain, source, from_iteration);
`;
