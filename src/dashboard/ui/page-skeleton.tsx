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
