/** An E that is a histogram turned on its axis. */
export function Logo({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#5455D7" />
      <g fill="#FFFFFF">
        <rect x="8" y="6" width="4" height="20" rx="1.6" />
        <rect x="8" y="6" width="14" height="4" rx="1.6" />
        <rect x="8" y="14" width="17" height="4" rx="1.6" />
        <rect x="8" y="22" width="14" height="4" rx="1.6" />
        {size >= 22 && (
          <>
            <rect x="12" y="10.9" width="10" height="2.2" opacity="0.5" />
            <rect x="12" y="18.9" width="10" height="2.2" opacity="0.5" />
          </>
        )}
      </g>
    </svg>
  );
}
