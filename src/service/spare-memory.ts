/** With less free memory, what threads that wait for work hold (15 to 40 MB each) is better used otherwise. */
const SPARE_BYTES = 2 ** 30;

/** Whether threads may start before there is work for them. */
export const hasSpareMemory = (): boolean => process.availableMemory() > SPARE_BYTES;
