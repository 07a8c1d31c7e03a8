-- Workflows, experiments and the chains that workers take.

create table workflows (
  id bigint primary key references objects on delete cascade,
  model_id bigint references objects on delete set null,
  data_id bigint references objects on delete set null,
  experiment_id bigint references objects on delete set null,
  analyzer_id bigint references objects on delete set null,
  -- JSON text of the last analysis: status, return_code, errlines, file.
  analyzer_result text,
  startup_script text,
  settings text,
  data_script text,
  uri text not null default ''
);
create index workflows_by_experiment on workflows (experiment_id);
create index workflows_by_data on workflows (data_id, id desc);

create table experiments (
  id bigint primary key references objects on delete cascade,
  model_id bigint references objects on delete set null,
  workflow_id bigint references objects on delete set null,
  data_id bigint references objects on delete set null,
  -- Frozen at the start of the run: the model and the data may change or go.
  model_name text not null default '',
  model_version integer,
  data_name text not null default '',
  data_version integer,
  -- env, lang, entrance_file, content_meta, tree (with hashes of blobs).
  program jsonb,
  data_hash bytea,
  data_fmt text not null default '',
  -- The workflow's script as it was when the run was started; null: the data are used as they are.
  data_script text,
  -- Settings as run, seed included; null for runs of an outside runner and for imports.
  settings jsonb,
  input_id text not null default '',
  output text not null default '',
  run_on text not null default '',
  meta jsonb not null default '{}',
  n_chains integer not null default 0,
  n_variables integer not null default 0,
  n_samples bigint not null default 0,
  sample_update_time timestamptz,
  -- Statistics of every variable, made at the end; null while draws may come.
  summary jsonb,
  -- Grows with every batch of draws and at the end.
  revision bigint not null default 0,
  started_at timestamptz,
  finished_at timestamptz
);
create index experiments_by_model on experiments (model_id, id desc);
create index experiments_by_workflow on experiments (workflow_id, id desc);
create index experiments_by_run_on on experiments (lower(run_on), id desc);
create index experiments_by_data on experiments (data_id, id desc) where input_id = '';
create index experiments_by_input on experiments (input_id, id desc) where input_id <> '';

create table workers (
  id integer generated always as identity primary key,
  host text not null,
  pid integer not null,
  -- Values of run_on this worker serves; empty: all that no other worker claims.
  pools text[] not null default '{}',
  slots integer not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now()
);

-- A row is one chain of a run, with its progress and its checkpoint. `lease` grows each time a worker takes it; a worker
-- that lost it cannot write any more.
create table experiment_chains (
  experiment_id bigint not null references experiments on delete cascade,
  chain integer not null,
  name text not null,
  state text not null check (state in ('queued', 'running', 'paused', 'done', 'stopped', 'failed', 'outside')),
  -- What the owner asked for: run, pause or stop.
  desired_state text not null default 'run' check (desired_state in ('run', 'pause', 'stop')),
  phase text not null default 'waiting',
  -- Iterations done, warmup and sampling together, and how many there will be.
  iteration bigint not null default 0,
  iterations bigint not null default 0,
  -- Saved draws of each phase.
  saved_warmup bigint not null default 0,
  saved_samples bigint not null default 0,
  checkpoint bytea,
  divergences bigint not null default 0,
  treedepth_hits bigint not null default 0,
  draws_per_second real,
  warmup_seconds real not null default 0,
  sampling_seconds real not null default 0,
  step_size double precision,
  lease bigint not null default 0,
  worker_id integer,
  attempts integer not null default 0,
  error_code text,
  error_message text,
  -- From the run's settings: above 0 before the owner's other chains, below 0 behind everybody's.
  priority smallint not null default 0,
  queued_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  heartbeat_at timestamptz,
  primary key (experiment_id, chain),
  unique (experiment_id, name)
);
create index chains_waiting on experiment_chains (queued_at, experiment_id, chain) where state = 'queued';
create index chains_running on experiment_chains (worker_id) where state = 'running';
alter table experiment_chains alter column checkpoint set storage external;

-- When a chain of a user was taken last: of two users with as many chains at work, who waited longer is next. The row
-- is also what two workers lock to count a user's chains.
create table queue_turns (
  owner_id bigint primary key references users on delete cascade,
  taken_at timestamptz not null default clock_timestamp()
);

-- Work that one process at a time carries out: a row while it waits or runs. What came of it stands in the table of its
-- kind. Chains are rows of their own, above.
create table tasks (
  kind text not null check (kind in ('analysis', 'call', 'export', 'import', 'program')),
  -- What it is about, by kind: an analysis, a call, or an experiment.
  subject_id bigint not null,
  -- Distinguishes several tasks of one kind and subject; mostly empty.
  part text not null default '',
  -- What only the process that carries it out needs.
  payload jsonb not null default '{}',
  state text not null default 'waiting' check (state in ('waiting', 'running')),
  attempts integer not null default 0,
  -- A task that loses its process waits again until it has been attempted this often.
  max_attempts integer not null,
  -- Grows with each attempt; a process that holds an older one cannot write any more.
  lease integer not null default 0,
  -- A task past this has lost its process; 'infinity': none has to renew it while it waits.
  lease_until timestamptz not null default 'infinity',
  -- The worker that carries it out: when that is dead, nobody waits for the lease to end.
  worker_id integer,
  queued_at timestamptz not null default now(),
  primary key (kind, subject_id, part)
);
create index tasks_leased on tasks (lease_until) where lease_until < 'infinity';
create index tasks_waiting on tasks (kind, queued_at) where state = 'waiting';

-- Runs of programs in other languages that a worker of this service carries out.
create table program_runs (
  experiment_id bigint primary key references experiments on delete cascade,
  -- python, julia, r
  runtime text not null,
  batch_id text not null,
  run_id text not null,
  -- As the program reads them.
  settings jsonb not null,
  -- Its own token, which opens this experiment only and dies with the run.
  token_id bigint
);
