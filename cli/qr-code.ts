// A QR code for a terminal, two rows in a line. Black on white whatever the colours of the terminal
// are: many scanners do not read the inverse.

export async function qrCode(text: string): Promise<string[]> {
  const { encode } = await import('uqr')
  const { data } = encode(text, { ecc: 'L', border: 2 })
  const lines = []
  for (let row = 0; row < data.length; row += 2) {
    const [above = [], below = []] = [data[row], data[row + 1]]
    const cells = above.map((dark, column) => {
      const under = below[column] ?? false
      return dark ? (under ? '█' : '▀') : under ? '▄' : ' '
    })
    lines.push(`\u001b[30;107m${cells.join('')}\u001b[0m`)
  }
  return lines
}
