// Prometheus's text format, as a scraper reads it.

/** The value of each series, by its name and labels in their written form. */
export function valuesIn(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

/** The names of all metrics, and of the series that a histogram has. */
export function metricsIn(text: string): Set<string> {
  const kinds = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return new Set(
    kinds.flatMap(([, name = '', kind]) =>
      kind === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
}
