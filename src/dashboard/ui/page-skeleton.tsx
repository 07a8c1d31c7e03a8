/** The shape of a page while its data is on the way. */
import { Skeleton } from '@mantine/core';

export function PageSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading">
      <Skeleton height={28} width={280} mb={16} />
      <Skeleton height={44} mb={16} />
      <Skeleton height={320} />
    </div>
  );
}

/** The shape of a list below its title: its filters and its rows. */
export function ListSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading">
      <Skeleton height={32} width={240} mt={16} mb={12} />
      <Skeleton height={214} maw={1440} radius="md" />
    </div>
  );
}
