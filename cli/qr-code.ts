// A QR code for a terminal, with two rows of modules in each line. It is black on white whatever
// the colors of the terminal are, because many scanners do not read the inverse.

/** Returns no lines if the terminal has fewer columns than the code. */
export async function qrCode(text: string, columns = process.stderr.columns || 80) {
  const { encode } = await import('uqr')
  const { data, size } = encode(text, { ecc: 'L', border: 2 })
  return size > columns ? [] : linesOf(data).map((line) => `\u001b[30;107m${line}\u001b[0m`)
}

export function linesOf(modules: readonly (readonly boolean[])[]): string[] {
  const lines = []
  for (let row = 0; row < modules.length; row += 2) {
    const [above = [], below = []] = [modules[row], modules[row + 1]]
    const cells = above.map((dark, column) => {
      const under = below[column] ?? false
      if (dark) return under ? '█' : '▀'
      return under ? '▄' : ' '
    })
    lines.push(cells.join(''))
  }
  return lines
}
