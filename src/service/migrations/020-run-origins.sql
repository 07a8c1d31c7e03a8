-- Where a run came from: who started it, and in which trace.

-- Who started or resumed a team's run: members share what their team gets. Null: its owner.
alter table experiments add column started_by bigint references users;
-- W3C `traceparent` of the request that queued it last; null: nobody traces.
alter table experiments add column trace_parent text;
