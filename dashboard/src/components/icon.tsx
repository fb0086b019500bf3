// Icons: 16 px outlines from one table, so that no icon library is in the bundle.
const paths = {
  home: 'M2.5 7 8 2.5 13.5 7v6a.5.5 0 0 1-.5.5H9.75V9.75h-3.5v3.75H3a.5.5 0 0 1-.5-.5z',
  globe:
    'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M2 8h12M8 2c1.8 1.7 2.6 3.7 2.6 6S9.800 12.300 8 14C6.200 12.300 5.400 10.300 5.400 8S6.200 3.700 8 2',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10m3.600-1.400L14 14',
  copy: 'M5.500 5.500h7a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1M2.500 10.500V3a1 1 0 0 1 1-1H11',
  mail: 'M2.5 3.500h11a.500.500 0 0 1 .500.500v8a.500.500 0 0 1-.500.500h-11A.500.500 0 0 1 2 12V4a.500.500 0 0 1 .500-.500m0 .750L8 8.750l5.500-4.500',
  check: 'm3 8.500 3.200 3.200L13 4.500',
  close: 'm4 4 8 8m0-8-8 8',
  chevron: 'm4.500 6.500 3.500 3.500 3.500-3.500',
  user: 'M8 8a2.750 2.750 0 1 0 0-5.500A2.750 2.750 0 0 0 8 8m-5.250 6c.400-2.500 2.500-4 5.250-4s4.850 1.500 5.250 4',
  lock: 'M4 7.500h8a.500.500 0 0 1 .500.500v5a.500.500 0 0 1-.500.500H4a.500.500 0 0 1-.500-.500V8a.500.500 0 0 1 .500-.500m1.250 0V5a2.750 2.750 0 0 1 5.500 0v2.500',
  alert: 'M8 5.500v3.250m0 2.250v.010M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12',
  book: 'M8 3.500C6.500 2.500 4.500 2.300 2.500 2.500v10c2-.200 4 0 5.500 1 1.500-1 3.500-1.200 5.500-1v-10c-2-.200-4 0-5.500 1m0 0v10',
  cart: 'M1.750 2.500h1.700l1.700 7.500h6.600l1.500-5.500H4.100M6.250 13.250v.010M11 13.250v.010',
  wallet:
    'M3.500 4h9a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1M2.500 6.750h11M10.500 10h.010',
  history: 'M8 4.750V8l2.250 1.500M2.700 6A5.750 5.750 0 1 1 2.250 8.500M2.500 3v3h3',
  download: 'M8 2.500V10M5 7l3 3 3-3M3 13.500h10',
  plus: 'M8 3v10M3 8h10',
  contact:
    'M2.500 3.500h11v9h-11zM6 8.250a1.250 1.250 0 1 0 0-2.500 1.250 1.250 0 0 0 0 2.500m-2 2.500c.200-1 .900-1.500 2-1.500s1.800.500 2 1.500m2-4h2m-2 2.500h2',
  arrow: 'M3 8h10m-4-4 4 4-4 4',
} as const

export type IconName = keyof typeof paths

/** Decorative: its neighbour has the words. */
export function Icon({ name, className = 'size-4' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  )
}
