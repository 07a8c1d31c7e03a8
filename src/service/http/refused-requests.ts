/** Counts refused requests of callers who have not signed in: a network that sends many must wait. */

import { networkOf } from './caller-network.ts';
import { rateLimited } from './service-error.ts';

/** Refused requests of one network in a burst, and how many more each minute. */
const CAPACITY = 60;
const PER_MINUTE = 30;
/** Networks remembered; those refused longest ago are forgotten first. */
const MOST_NETWORKS = 10_000;

interface Bucket {
  left: number;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface RefusedRequests {
  /** Throws RATE_LIMITED with the seconds to wait. */
  check(address: string): void;
  charge(address: string): void;
}

/** In memory, so that a refused request costs the database nothing. */
export function createRefusedRequests(now: () => number): RefusedRequests {
  const buckets = new Map<string, Bucket>();
  const fill = (bucket: Bucket): number => {
    const minutes = Math.max(0, now() - bucket.at) / 60_000;
    return Math.min(CAPACITY, bucket.left + minutes * PER_MINUTE);
  };
  return {
    check(address) {
      const bucket = buckets.get(networkOf(address));
      if (bucket === undefined || fill(bucket) >= 1) return;
      const seconds = Math.ceil(((1 - fill(bucket)) * 60) / PER_MINUTE);
      const message = `Too many requests that could not be read; try again in ${seconds} s.`;
      throw rateLimited(message, seconds);
    },
    charge(address) {
      const key = networkOf(address);
      const bucket = buckets.get(key);
      const left = (bucket === undefined ? CAPACITY : fill(bucket)) - 1;
      // put last: the map is ordered by the last charge
      buckets.delete(key);
      if (buckets.size >= MOST_NETWORKS) buckets.delete(buckets.keys().next().value as string);
      buckets.set(key, { left: Math.max(0, left), at: now() });
    },
  };
}
