/** Numbers as shown on screens: those of reports, and file sizes. */
export { formatBytes, formatCount, formatNumber, missing } from '../../shared/readable-numbers.ts';
