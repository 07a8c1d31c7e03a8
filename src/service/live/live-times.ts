/** How long sockets wait for things, in milliseconds. */
export interface LiveTimes {
  /** From opening to the authorization message. */
  readonly authorizeMs: number;
  /** Between pings; a socket that did not answer the last one is gone. */
  readonly pingMs: number;
  /** A frame that is not taken in by then ends the socket. */
  readonly slowMs: number;
  /** Between two looks at what is new for a socket, at least. */
  readonly roundMs: number;
  /** Spent on draws before anything else is sent. */
  readonly drawsMs: number;
  /** Between two frames that only report progress. */
  readonly progressMs: number;
}

export const liveTimes: LiveTimes = {
  authorizeMs: 3000,
  pingMs: 20_000,
  slowMs: 30_000,
  roundMs: 100,
  drawsMs: 400,
  progressMs: 1000,
};
