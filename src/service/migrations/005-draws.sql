-- Draws, logs, outside runners, and files made from draws.

-- Names of columns, once for many batches.
create table draw_layouts (
  id bigint generated always as identity primary key,
  experiment_id bigint not null references experiments on delete cascade,
  hash bytea not null,
  columns jsonb not null,
  unique (experiment_id, hash)
);

-- Little-endian float64, column after column, stored out of line and uncompressed: one column is read by substring
-- without the rest. Iterations count from 1 within the phase.
create table draw_batches (
  experiment_id bigint not null references experiments on delete cascade,
  chain integer not null,
  phase text not null check (phase in ('warmup', 'sampling')),
  layout_id bigint not null references draw_layouts on delete cascade,
  first_iteration bigint not null,
  count integer not null check (count > 0),
  -- The outside runner's batch; empty for our own engine.
  source text not null default '',
  bytes bytea not null,
  primary key (experiment_id, chain, phase, layout_id, first_iteration)
);
alter table draw_batches alter column bytes set storage external;

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

-- Where the draws of a runner's source (batch and run) stand in a chain. A source may have several stretches, when
-- another wrote behind it meanwhile: from this iteration of its own on, its draws stand "offset" further.
create table runner_offsets (
  experiment_id bigint not null references experiments on delete cascade,
  chain integer not null,
  source text not null,
  from_iteration bigint not null default 1,
  "offset" bigint not null,
  primary key (experiment_id, chain, source, from_iteration)
);

create table log_streams (
  experiment_id bigint not null references experiments on delete cascade,
  stream text not null,
  bytes bigint not null default 0,
  lines bigint not null default 0,
  primary key (experiment_id, stream)
);

create table log_chunks (
  experiment_id bigint not null references experiments on delete cascade,
  stream text not null,
  byte_offset bigint not null,
  line_offset bigint not null,
  bytes integer not null,
  lines integer not null,
  batch_id text not null default '',
  run_id text not null default '',
  created_at timestamptz not null default now(),
  content text not null,
  primary key (experiment_id, stream, byte_offset)
);

-- Files made for download from draws; built again when `revision` is not the experiment's.
create table export_files (
  experiment_id bigint not null references experiments on delete cascade,
  fmt text not null,
  n_iteration bigint not null default 0,
  revision bigint not null,
  state text not null check (state in ('generating', 'done', 'error')),
  path text not null default '',
  size bigint not null default 0,
  message text not null default '',
  created_at timestamptz not null default now(),
  primary key (experiment_id, fmt, n_iteration)
);
