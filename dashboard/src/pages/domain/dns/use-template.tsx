// The records of a mail or site host: chosen, with its parameters, compared with what is there, and
// then set.
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import {
  type AppliedDnsTemplateResponse,
  applyDnsTemplate,
  type DnsTemplate,
  listDnsTemplates,
} from 'sdk'
import { Button } from '../../../components/button.tsx'
import { Field } from '../../../components/field.tsx'
import { LabelledSelect } from '../../../components/forms/labelled-select.tsx'
import { ErrorNotice } from '../../../components/notice.tsx'
import { Dialog } from '../../../components/popups/dialog.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { answerOf, fieldProblems } from '../../../lib/api.ts'
import { useRecordChange } from '../../../lib/dns/record-queries.ts'
import { formatDay } from '../../../lib/format.ts'
import { common } from '../../../messages/common-texts.ts'
import { templateTexts as texts } from '../../../messages/dns/template-texts.ts'
import { focusProblem } from './focus-problem.ts'
import { TemplateDifference } from './template-difference.tsx'

type Answer = AppliedDnsTemplateResponse
type Props = {
  domain: string
  /** The serial of the records that the user sees. */
  serial: number
  onTaken: (answer: Answer) => void
  onClose: () => void
}

export default function UseTemplate(props: Props) {
  const list = useQuery({
    queryKey: ['dns-templates'],
    queryFn: () => answerOf(listDnsTemplates()),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Dialog open wide onClose={props.onClose} title={texts.title}>
      {list.isPending && <Skeleton />}
      {list.isError && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && <Choice templates={list.data.templates} {...props} />}
    </Dialog>
  )
}

function Choice({
  templates,
  domain,
  serial,
  onTaken,
  onClose,
}: Props & { templates: readonly DnsTemplate[] }) {
  const [id, setId] = useState(templates[0]?.id ?? 'no-mail')
  const [params, setParams] = useState<Readonly<Record<string, string>>>({})
  const [preview, setPreview] = useState<Answer | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const change = useRecordChange<Answer>(domain)
  const template = templates.find((one) => one.id === id)
  if (!template) return null
  const given = Object.fromEntries(
    template.parameters.map(({ name }) => [name, params[name]?.trim() ?? '']),
  )
  const send = (dry_run: boolean) => ({
    send: () => {
      const body = { template: id, params: given, replace: true, dry_run }
      const headers = { 'If-Match': `"${serial}"` }
      return applyDnsTemplate({ path: { domain }, body, headers })
    },
    done: () => texts.done(template.title),
  })
  const compare = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(send(true), {
      onSuccess: setPreview,
      onError: () => focusProblem(form.current),
    })
  }
  const apply = () =>
    change.mutate(send(false), {
      onSuccess: (answer) => {
        onTaken(answer)
        onClose()
      },
      onError: () => setPreview(null),
    })
  if (preview)
    return (
      <TemplateDifference answer={preview} isBusy={change.isPending} onApply={apply}>
        <Button onClick={() => setPreview(null)}>{texts.back}</Button>
      </TemplateDifference>
    )
  const problems = fieldProblems(change.error)
  const isOfField = Object.keys(problems).length > 0
  return (
    <form ref={form} onSubmit={compare} className="flex flex-col gap-4">
      <LabelledSelect
        label={texts.template}
        value={id}
        hint={template.does}
        options={templates.map((one) => ({ value: one.id, label: one.title }))}
        onChange={(value) => {
          change.reset()
          setId(templates.find((one) => one.id === value)?.id ?? id)
        }}
      />
      {template.parameters.map(({ name, description, example }) => (
        <Field
          key={`${id} ${name}`}
          label={description.replace(/\.$/, '')}
          hint={texts.example(example)}
          problem={problems[name]}
          value={params[name] ?? ''}
          onChange={(event) => {
            const { value } = event.currentTarget
            setParams({ ...params, [name]: value })
          }}
        />
      ))}
      <About template={template} />
      {change.isError && !isOfField && <ErrorNotice error={change.error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" look="primary" busy={change.isPending}>
          {texts.preview}
        </Button>
      </div>
    </form>
  )
}

function About({ template: { beside, checked_at, sources } }: { template: DnsTemplate }) {
  return (
    <div className="text-sm text-muted">
      {beside !== null && (
        <p>
          {texts.beside}: {beside}
        </p>
      )}
      <p className="mt-2">{texts.read(formatDay(checked_at))}</p>
      <ul>
        {sources.map((source) => (
          <li key={source}>
            <a href={source} rel="noreferrer" target="_blank" className="break-all underline">
              {source}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
