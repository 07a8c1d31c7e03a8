/** Lengths of time as shown on screens: those of reports. */
export { formatDuration } from '../../shared/durations.ts';
