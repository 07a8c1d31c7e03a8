-- The content of models and data: immutable versions, whose bytes are blobs.

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

-- `tree`: nodes of name, type, and for files hash, size and encoding (as sent), for folders children.
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
