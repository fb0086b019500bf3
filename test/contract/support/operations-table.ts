// The contract's table of operations, as it stands in operations.tsv.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `in` and `out` are the contract's own words, and a status may be "2xx". */
type Row = { at: string; in: string; out: string; status: string }

/** Every row, one for each method and path. */
export const table: readonly Row[] = readFileSync(
  join(import.meta.dirname, 'operations.tsv'),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [, method = '', path = '', taken = '', given = '', status = ''] = line.split('\t')
    return { at: `${method} ${path}`, in: taken, out: given, status }
  })
