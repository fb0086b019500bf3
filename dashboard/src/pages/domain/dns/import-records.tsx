// Dialog that imports many records at once: pasted as a zone file, compared with the present
// records, and then stored.
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { type ImportedDnsZoneResponse, importDnsZone } from 'sdk'
import { Button } from '../../../components/button.tsx'
import { TextArea } from '../../../components/field.tsx'
import { FormButtons } from '../../../components/forms/form-buttons.tsx'
import { LabelledSelect } from '../../../components/forms/labelled-select.tsx'
import { ErrorNotice } from '../../../components/notice.tsx'
import { Dialog } from '../../../components/popups/dialog.tsx'
import { problemsOf } from '../../../lib/api.ts'
import { useRecordChange } from '../../../lib/dns/record-queries.ts'
import { importTexts as texts } from '../../../messages/dns/import-texts.ts'
import { focusProblem } from './focus-problem.ts'
import { RecordDifference } from './record-difference.tsx'
import { RecordWarnings } from './record-warnings.tsx'

type Mode = 'merge' | 'replace'
type Answer = ImportedDnsZoneResponse
type Preview = { answer: Answer; if_match: string }

const modes: readonly Mode[] = ['merge', 'replace']
const most_problems = 10

type Props = {
  domain: string
  /** The serial of the records that the user sees. */
  serial: number
  onTaken: (answer: Answer) => void
  onClose: () => void
}

export default function ImportRecords(props: Props) {
  const records = useImport(props)
  const { preview, change } = records
  if (preview)
    return (
      <Dialog open wide onClose={props.onClose} title={texts.title}>
        <Difference
          answer={preview.answer}
          isBusy={change.isPending}
          onTake={() => records.take(preview)}
        >
          <Button onClick={records.back}>{texts.back}</Button>
        </Difference>
      </Dialog>
    )
  return (
    <Dialog open wide onClose={props.onClose} title={texts.title} description={texts.text}>
      <ZoneForm records={records} onClose={props.onClose} />
    </Dialog>
  )
}

type Typed = { text: string; mode: Mode }

/** The values of the form, and their two requests: a dry run, then the change itself. */
function useImport({ domain, serial, onTaken, onClose }: Props) {
  const [typed, setTyped] = useState<Typed>({ text: '', mode: 'merge' })
  const [preview, setPreview] = useState<Preview | null>(null)
  const [isEmpty, setEmpty] = useState(false)
  const change = useRecordChange<Answer>(domain)
  const send = (dry_run: boolean, if_match: string) => ({
    send: () => {
      const body = { zonefile: typed.text, mode: typed.mode, dry_run }
      return importDnsZone({ path: { domain }, body, headers: { 'If-Match': if_match } })
    },
    done: ({ diff }: Answer) => texts.done(diff.length),
  })
  return {
    ...{ typed, preview, change },
    problems: isEmpty ? [texts.empty] : problemsOf(change.error).slice(0, most_problems),
    back: () => setPreview(null),
    edit: (part: Partial<Typed>) => {
      setTyped({ ...typed, ...part })
      setEmpty(false)
      change.reset()
    },
    compare: (onRefused: () => void) => {
      if (change.isPending) return
      setEmpty(typed.text.trim() === '')
      if (typed.text.trim() === '') return onRefused()
      const if_match = `"${serial}"`
      change.mutate(send(true, if_match), {
        onSuccess: (answer) => setPreview({ answer, if_match }),
        onError: onRefused,
      })
    },
    take: ({ if_match }: Preview) =>
      change.mutate(send(false, if_match), {
        onSuccess: (answer) => {
          onTaken(answer)
          onClose()
        },
        onError: () => setPreview(null),
      }),
  }
}

type FormProps = { records: ReturnType<typeof useImport>; onClose: () => void }

function ZoneForm({ records, onClose }: FormProps) {
  const { typed, edit, problems, change } = records
  const form = useRef<HTMLFormElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    records.compare(() => focusProblem(form.current))
  }
  return (
    <form ref={form} onSubmit={submit} className="flex flex-col gap-4">
      <TextArea
        label={texts.lines}
        rows={10}
        placeholder={texts.example}
        problem={problems.length > 0 ? problems.join('\n') : undefined}
        value={typed.text}
        onChange={(event) => edit({ text: event.currentTarget.value })}
      />
      <LabelledSelect
        label={texts.mode}
        value={typed.mode}
        options={modes.map((value) => ({ value, label: texts.modes[value] }))}
        onChange={(value) => edit({ mode: value === 'replace' ? 'replace' : 'merge' })}
      />
      {change.isError && problems.length === 0 && <ErrorNotice error={change.error} />}
      <FormButtons action={texts.preview} busy={change.isPending} onCancel={onClose} />
    </form>
  )
}

type DifferenceProps = {
  answer: Answer
  isBusy: boolean
  onTake: () => void
  children: ReactNode
}

function Difference({ answer, isBusy, onTake, children }: DifferenceProps) {
  const { diff, left_out } = answer
  const lines = left_out.map(({ line, type }) => texts.leftOutOne(line, type)).join(', ')
  return (
    <>
      {diff.length === 0 ? <p>{texts.same}</p> : <RecordDifference diff={diff} />}
      {left_out.length > 0 && <p className="text-sm text-muted">{texts.leftOut(lines)}</p>}
      <RecordWarnings answer={answer} />
      <div className="flex flex-wrap justify-end gap-2">
        {children}
        {diff.length > 0 && (
          <Button look="primary" busy={isBusy} onClick={onTake}>
            {texts.take(diff.length)}
          </Button>
        )}
      </div>
    </>
  )
}
