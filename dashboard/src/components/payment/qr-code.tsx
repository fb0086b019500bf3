// QR code as one SVG path, dark on light in both themes, so that cameras read it.
import { useMemo } from 'react'
import { encode } from 'uqr'

type Props = { text: string; label: string }

export default function QrCode({ text, label }: Props) {
  const { size, path } = useMemo(() => pathOf(text), [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 rounded-lg"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

/** A quiet zone of four modules is part of the symbol (ISO/IEC 18004 section 9.1). */
function pathOf(text: string) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return { size, path }
}
