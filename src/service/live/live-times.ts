/** Timeouts and intervals of sockets, in milliseconds. */
export interface LiveTimes {
  /** Between opening and the authorization message. */
  readonly authorizeMs: number;
  /** Between pings; a socket that did not answer the last one is closed. */
  readonly pingMs: number;
  /** A socket is closed when a frame is not accepted in this time. */
  readonly slowMs: number;
  /** Minimum time between two checks for updates of a socket. */
  readonly roundMs: number;
  /** Time spent on draws before anything else is sent. */
  readonly drawsMs: number;
  /** Between two frames that report only progress. */
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
