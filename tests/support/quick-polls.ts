/** The polling policy has its own tests; elsewhere one second of it takes 100 ms. For `vi.mock` of `poll-policy.ts`. */
type Policy = typeof import('../../src/dashboard/features/live/poll-policy.ts');

export async function quickPolls(load: () => Promise<unknown>): Promise<Policy> {
  const policy = (await load()) as Policy;
  return {
    ...policy,
    nextPollDelay: (...input) => {
      const delay = policy.nextPollDelay(...input);
      return delay === null ? null : delay / 10;
    },
  };
}
