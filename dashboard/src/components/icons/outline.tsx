// An outline icon, 16 px. It is separate from the table of icons, which the log-in page need not
// load for the icon of its notices.
export const alertPath = 'M8 5.500v3.250m0 2.250v.010M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12'

type Props = { path: string; className?: string }

/** The icon is decorative, since the text beside it has the words. */
export function Outline({ path, className = 'size-4' }: Props) {
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
      <path d={path} />
    </svg>
  )
}
