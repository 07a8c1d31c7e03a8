-- Events, callbacks, what they are bound to, and calls of functions.

create table events (
  id bigint primary key references objects on delete cascade,
  -- Events that the service fires by itself: one of each name a user, made when they are first looked for.
  builtin text,
  builtin_owner bigint references users
);
create unique index events_builtin on events (builtin_owner, builtin) where builtin is not null;

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
  object2_id bigint not null references objects on delete cascade,
  -- What the binding says about when to fire.
  params jsonb not null default '{}'
);
create index relations_from on relations (object1_id);
create index relations_to on relations (object2_id);

-- How many times a binding to "every n samples" has fired for a chain.
create table sample_marks (
  relation_id bigint not null references relations on delete cascade,
  experiment_id bigint not null references experiments on delete cascade,
  chain integer not null,
  fired bigint not null,
  primary key (relation_id, experiment_id, chain)
);

-- A row a call: who, when, how it went. An open one waits or runs as a task.
create table function_calls (
  id bigint generated always as identity primary key,
  -- Id of a model, a built-in function or a callback: a call stays when they are gone.
  function_id text not null,
  version integer not null default 0,
  user_id bigint not null references users,
  -- The event that fired it.
  event_id bigint references objects on delete cascade,
  state text not null check (state in ('open', 'done', 'failed')),
  -- Nobody waits for its answer: a job carries it out.
  background boolean not null,
  -- JSON text; emptied at the end.
  parameters text not null default '',
  -- Calls with the same key run one at a time, in order; null: at any time.
  lock_key text,
  -- How many processes have begun it.
  attempts integer not null default 0,
  -- Of a failure: code and message.
  error_code text,
  error text,
  log text not null default '',
  milliseconds real,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index function_calls_open on function_calls (lock_key, id) where state = 'open';
create index function_calls_of_user on function_calls (user_id, id desc);
create index function_calls_of_event on function_calls (event_id, id desc) where event_id is not null;
create index function_calls_of_function on function_calls (function_id, id desc);

-- Answers that callers asked to have remembered, by what went in and for whom.
create table function_answers (
  function_id text not null,
  version integer not null,
  user_id bigint not null references users on delete cascade,
  parameters_hash bytea not null,
  answer text not null,
  created_at timestamptz not null default now(),
  primary key (function_id, version, user_id, parameters_hash)
);
