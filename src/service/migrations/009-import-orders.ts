/** Imports that are read by a job: the order and its lock. And which worker holds such orders, calls and analyses. */
export const importOrders = `
create table import_orders (
  -- Gone when it ended.
  experiment_id bigint primary key references objects on delete cascade,
  -- What to read: type and files, whose bytes are blobs of the experiment.
  files jsonb not null,
  attempts integer not null default 0,
  -- Grows with each attempt; who holds an older one may not write any more.
  lease integer not null default 0,
  -- Until when it is looked after; 'infinity' while it waits for its job.
  lease_until timestamptz not null default 'infinity',
  ordered_at timestamptz not null default now(),
  -- The worker that does it: when that is dead nobody waits for the lease to end.
  holder bigint
);
alter table function_calls add column holder bigint;
alter table analyses add column holder bigint;
`;
