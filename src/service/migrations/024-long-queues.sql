-- Places in a long queue are counted now and then, by one worker for all who ask, instead of by each who asks.

-- One row a run of which chains waited at `counted_at`. Empty while the queue is short: places are counted when somebody asks.
create unlogged table queue_places (
  experiment_id bigint primary key,
  -- From 1, each in its lane.
  place bigint not null,
  -- Chains that waited, the first of them since when, and the highest of their priorities.
  waiting bigint not null,
  since timestamptz not null,
  priority integer not null,
  counted_at timestamptz not null
);
