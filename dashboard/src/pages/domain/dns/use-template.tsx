// Dialog that sets the records of a mail or site host: the user chooses a template and its
// parameters, and compares the result with the present records.
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
import { FormButtons } from '../../../components/forms/form-buttons.tsx'
import { LabelledSelect } from '../../../components/forms/labelled-select.tsx'
import { ErrorNotice } from '../../../components/notice.tsx'
import { Dialog } from '../../../components/popups/dialog.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { answerOf, fieldProblems } from '../../../lib/api.ts'
import { useRecordChange } from '../../../lib/dns/record-queries.ts'
import { formatDay } from '../../../lib/format.ts'
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

type ChoiceProps = Props & { templates: readonly DnsTemplate[] }

function Choice({ onClose, ...props }: ChoiceProps) {
  const choice = useChoice({ onClose, ...props })
  const form = useRef<HTMLFormElement>(null)
  const { template, preview, change } = choice
  if (!template) return null
  const compare = (event: FormEvent) => {
    event.preventDefault()
    choice.compare(() => focusProblem(form.current))
  }
  if (preview)
    return (
      <TemplateDifference answer={preview} isBusy={change.isPending} onApply={choice.apply}>
        <Button onClick={choice.back}>{texts.back}</Button>
      </TemplateDifference>
    )
  const problems = fieldProblems(change.error)
  return (
    <form ref={form} onSubmit={compare} className="flex flex-col gap-4">
      <TemplateFields {...{ choice, template, problems }} templates={props.templates} />
      <About template={template} />
      {change.isError && Object.keys(problems).length === 0 && <ErrorNotice error={change.error} />}
      <FormButtons action={texts.preview} busy={change.isPending} onCancel={onClose} />
    </form>
  )
}

/**
 * The chosen template with its parameters, and its two requests: a dry run, then the change itself.
 */
function useChoice({ templates, domain, serial, onTaken, onClose }: ChoiceProps) {
  const [id, setId] = useState(templates[0]?.id ?? 'no-mail')
  const [params, setParams] = useState<Readonly<Record<string, string>>>({})
  const [preview, setPreview] = useState<Answer | null>(null)
  const change = useRecordChange<Answer>(domain)
  const template = templates.find((one) => one.id === id)
  const given = Object.fromEntries(
    (template?.parameters ?? []).map(({ name }) => [name, params[name]?.trim() ?? '']),
  )
  const send = (dry_run: boolean) => ({
    send: () => {
      const body = { template: id, params: given, replace: true, dry_run }
      const headers = { 'If-Match': `"${serial}"` }
      return applyDnsTemplate({ path: { domain }, body, headers })
    },
    done: () => texts.done(template?.title ?? ''),
  })
  return {
    ...{ template, params, preview, change },
    choose: (value: string) => {
      change.reset()
      setId(templates.find((one) => one.id === value)?.id ?? id)
    },
    edit: (name: string, value: string) => setParams({ ...params, [name]: value }),
    back: () => setPreview(null),
    compare: (onRefused: () => void) =>
      change.mutate(send(true), { onSuccess: setPreview, onError: onRefused }),
    apply: () =>
      change.mutate(send(false), {
        onSuccess: (answer) => {
          onTaken(answer)
          onClose()
        },
        onError: () => setPreview(null),
      }),
  }
}

type FieldsProps = {
  choice: ReturnType<typeof useChoice>
  template: DnsTemplate
  templates: readonly DnsTemplate[]
  problems: Readonly<Record<string, string>>
}

function TemplateFields({ choice, template, templates, problems }: FieldsProps) {
  return (
    <>
      <LabelledSelect
        label={texts.template}
        value={template.id}
        hint={template.does}
        options={templates.map((one) => ({ value: one.id, label: one.title }))}
        onChange={choice.choose}
      />
      {template.parameters.map(({ name, description, example }) => (
        <Field
          key={`${template.id} ${name}`}
          label={description.replace(/\.$/, '')}
          hint={texts.example(example)}
          problem={problems[name]}
          value={choice.params[name] ?? ''}
          onChange={(event) => choice.edit(name, event.currentTarget.value)}
        />
      ))}
    </>
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
