// The commands for templates of DNS records, which list the templates and apply one.
import { usage } from '../failure.ts'
import { printable, table } from '../table.ts'
import { type Context, confirm, type Shown } from './command.ts'
import { changed, headersOf, modeOf } from './record-changes.ts'

type TemplateId = NonNullable<
  Parameters<Context['registrar']['applyDnsTemplate']>[0]['body']
>['template']

export async function listTemplates(
  { registrar }: Pick<Context, 'registrar'>,
  words: string[],
): Promise<Shown> {
  if (words.length > 0) throw usage('Give nothing behind: dns templates')
  const body = await registrar.listDnsTemplates()
  const rows = body.templates.map(({ id, title, parameters, checked_at }) => [
    ...[id, title, parameters.map(({ name, example }) => `${name}=${example}`).join(' ') || '-'],
    checked_at,
  ])
  return { body, lines: table(['TEMPLATE', 'FOR', 'PARAMETERS', 'CHECKED'], rows) }
}

/** With --replace, a dry run comes first, so that the user confirms the records that it removes. */
export async function applyTemplate(context: Context, words: string[]): Promise<Shown> {
  const { registrar, flags } = context
  const [domain, id, ...pairs] = words
  if (domain === undefined || id === undefined) throw usage('Give a name, and a template')
  const { templates } = await registrar.listDnsTemplates()
  const template = templates.find((one) => one.id === id)
  if (!template) throw usage(`No template ${id}: ${templates.map((one) => one.id).join(', ')}`)
  const sent = { template: template.id satisfies TemplateId, params: paramsOf(pairs) }
  const send = (more: { dry_run?: true; replace?: true }) =>
    registrar.applyDnsTemplate({
      path: { domain },
      body: { ...sent, ...modeOf(context), ...more },
      ...headersOf(flags),
    })
  const beside = template.beside === null ? [] : [printable(template.beside)]
  if (flags.replace === true && flags['dry-run'] !== true) {
    const { conflicts } = await send({ dry_run: true })
    const lost = conflicts.map(({ host, type }) => `${host} ${type}`).join(', ')
    if (lost !== '') await confirm(context, printable(`This takes away: ${lost}.`), 'Apply?')
  }
  const body = await send(flags.replace === true ? { replace: true } : {})
  const { lines } = changed(body)
  const against = body.dry_run
    ? body.conflicts.map(({ host, type, values }) =>
        printable(`Against it: ${host} ${type} ${values.join(' ')}`),
      )
    : []
  return { body, lines: [...lines, ...against, ...beside] }
}

function paramsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw usage(`Give parameters as NAME=VALUE, not ${pair}`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}
