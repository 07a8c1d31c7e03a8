/** Priorities and turns in the queue of chains; the share a notification is about. */
export const queueTurns = `
-- From the run's settings: above 0 before the owner's other chains, below 0 behind everybody's.
alter table experiment_chains add column priority smallint not null default 0;

-- When a chain of a user was taken last: of two users with as many chains at work, who waited longer is next. The row
-- is also what two workers lock to count a user's chains.
create table queue_turns (
  owner_id bigint primary key references users on delete cascade,
  taken_at timestamptz not null default clock_timestamp()
);

-- Id of the share by which the object is reached; empty when it is the user's own.
alter table notifications add column share_id text not null default '';
`;
