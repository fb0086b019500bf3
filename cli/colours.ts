// Colors, only on a terminal and unless NO_COLOR or --no-color is given.
import { styleText } from 'node:util'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow'
type Stream = { isTTY: boolean }

export function coloured(style: Style, line: string, stream: Stream): string {
  const { NO_COLOR, TERM } = process.env
  const plain = !stream.isTTY || NO_COLOR || TERM === 'dumb' || process.argv.includes('--no-color')
  return plain ? line : styleText(style, line)
}
