/** Numbers as people read them on screens: those of reports, and sizes of files. */
export { formatBytes, formatCount, formatNumber, missing } from '../../shared/readable-numbers.ts';
