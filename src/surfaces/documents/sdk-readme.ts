// The list of methods in the README of the client: one for each operation, between two markers.
import type { Operation } from '../../app.ts'
import { byArea } from '../descriptions/operation-docs.ts'

const markers = ['<!-- methods: made by bin/check --write -->', '<!-- end of methods -->'] as const

/** The README with the current methods. Throws where it has no markers. */
export function withMethods(readme: string, of: readonly Operation[]): string {
  const [begin, end] = markers
  const [before, rest] = readme.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error('The README has no markers')
  return `${before}${begin}\n\n${methodList(of)}\n${end}${after}`
}

function methodList(of: readonly Operation[]): string {
  return byArea(of)
    .map(([area, own]) => `**${area}**\n\n${own.map(lineOf).join('')}`)
    .join('\n')
}

const lineOf = ({ name, does }: Operation) => `- \`${methodOf(name)}\`: ${does}\n`

/** The name that the generator gives to a method: get_domain becomes getDomain. */
function methodOf(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, first: string) => first.toUpperCase())
}
