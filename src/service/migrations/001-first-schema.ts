/** The first schema. Longer than most files: one table after another, each with the reason for its shape. */
export const firstSchema = `
create table settings (
  key text primary key,
  value jsonb not null
);

create table users (
  id bigint generated always as identity primary key,
  name text not null unique,
  -- argon2id; null for the first user until a password is set.
  password_hash text,
  super boolean not null default false,
  roles text[] not null default '{}',
  created_at timestamptz not null default now()
);

-- Everything removed by one request shares a key, and comes back by it.
create table deletions (
  key uuid primary key,
  user_id bigint not null references users,
  created_at timestamptz not null default now()
);

create table tokens (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  -- login and start tokens are not listed; a scoped one belongs to a run and opens only its experiment.
  kind text not null check (kind in ('login', 'api', 'start', 'run')),
  hash bytea not null unique,
  prefix text not null,
  name text not null default '',
  description text not null default '',
  scope text,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  deleted_key uuid references deletions,
  deleted_at timestamptz
);
create index tokens_of_user on tokens (user_id, id desc) where deleted_at is null;

create sequence row_number_model;
create sequence row_number_experiment;
create sequence row_number_share;
create sequence row_number_workflow;
create sequence row_number_data;
create sequence row_number_event;
create sequence row_number_callback;
create sequence row_number_relation;

-- What all kinds share. \`status\` is set for experiments only and stands here for the sake of the list's indices.
create table objects (
  id bigint generated always as identity primary key,
  kind text not null,
  row_number bigint not null,
  short_id text not null unique,
  owner_id bigint not null references users,
  name text not null default '',
  description text not null default '',
  status text,
  tags text[] not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_key uuid references deletions,
  deleted_at timestamptz
);
create index objects_newest on objects (kind, owner_id, id desc) where deleted_at is null;
create index objects_updated on objects (kind, owner_id, updated_at desc, id desc) where deleted_at is null;
create index objects_named on objects (kind, owner_id, lower(name), id desc) where deleted_at is null;
create index objects_by_status on objects (kind, owner_id, status, id desc) where deleted_at is null;
create index objects_unfinished on objects (status) where kind = 'experiment' and status in ('NEW', 'RUN', 'SAMPLE_FIN');
create index objects_deleted on objects (deleted_key) where deleted_key is not null;

-- Bytes of model files and of data, by the SHA-256 of their content.
create table blobs (
  hash bytea primary key,
  bytes bytea not null,
  size bigint not null,
  created_at timestamptz not null default now()
);
alter table blobs alter column bytes set storage external;

create table models (
  id bigint primary key references objects on delete cascade,
  env text not null default '',
  lang text not null default '',
  single_instance boolean not null default true,
  lambda_image boolean not null default false,
  -- Where it was imported from: github, commit_id, origin_url, fixed_version_url.
  meta jsonb not null default '{}'
);
-- \`tree\`: nodes of name, type, and for files hash, size and encoding (as sent), for folders children.
create table model_versions (
  model_id bigint not null references models on delete cascade,
  version integer not null,
  tree jsonb not null,
  content_meta jsonb,
  entrance_file text not null default '',
  created_at timestamptz not null default now(),
  primary key (model_id, version)
);
-- Which blobs an object needs (any of its versions, or a run's frozen program and data): the rest may be purged.
create table object_blobs (
  object_id bigint not null references objects on delete cascade,
  hash bytea not null references blobs,
  primary key (object_id, hash)
);
create index object_blobs_by_hash on object_blobs (hash);

create table data_objects (
  id bigint primary key references objects on delete cascade,
  fmt text not null default 'raw',
  size bigint not null default 0
);
create table data_versions (
  data_id bigint not null references data_objects on delete cascade,
  version integer not null,
  hash bytea not null references blobs,
  fmt text not null,
  size bigint not null,
  created_at timestamptz not null default now(),
  primary key (data_id, version)
);

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

create table workers (
  id integer generated always as identity primary key,
  host text not null,
  pid integer not null,
  -- Words of run_on this worker serves; empty: all that no other worker claims.
  pools text[] not null default '{}',
  slots integer not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now()
);

-- A row is the order for a chain, its progress and its checkpoint. \`lease\` grows each time a worker takes it; a worker
-- that lost it cannot write any more.
create table experiment_chains (
  experiment_id bigint not null references experiments on delete cascade,
  chain integer not null,
  name text not null,
  state text not null check (state in ('queued', 'running', 'paused', 'done', 'stopped', 'failed', 'outside')),
  -- What the owner asked for: run, pause or stop.
  wish text not null default 'run' check (wish in ('run', 'pause', 'stop')),
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

-- Where a runner's new batch begins: its iteration 1 is ours + 1.
create table runner_offsets (
  experiment_id bigint not null references experiments on delete cascade,
  chain integer not null,
  source text not null,
  "offset" bigint not null,
  primary key (experiment_id, chain, source)
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

create table shares (
  id bigint primary key references objects on delete cascade,
  object_id bigint not null references objects on delete cascade,
  password_hash text,
  -- Grows at each change, which forgets every right answer that was remembered.
  password_version integer not null default 1,
  target_user_id bigint references users,
  include text[] not null default '{}',
  expires_at timestamptz,
  failed_attempts integer not null default 0,
  -- Fields and bounds as they were when the share was made.
  snapshot jsonb not null default '{}'
);
create index shares_of_object on shares (object_id);
create index shares_to_user on shares (target_user_id, object_id) where target_user_id is not null;

create table events (
  id bigint primary key references objects on delete cascade
);
create table callbacks (
  id bigint primary key references objects on delete cascade,
  lang text not null,
  code text not null,
  single_instance boolean not null default true,
  token text not null default ''
);
create table relations (
  id bigint primary key references objects on delete cascade,
  object1_id bigint not null references objects on delete cascade,
  object2_id bigint not null references objects on delete cascade
);
create index relations_from on relations (object1_id);

create table notifications (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  event text not null,
  title text not null,
  message text not null default '',
  msg_object text not null default '',
  msg_verb text not null default '',
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index notifications_of_user on notifications (user_id, id desc);

-- Files made for download from draws; built again when \`revision\` is not the experiment's.
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

-- Counters of attempts and requests, so that several services share one limit.
create table limits (
  key text primary key,
  level double precision not null,
  updated_at timestamptz not null default now()
);
`;
