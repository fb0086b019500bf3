// Many records at once: pasted as a zone file, compared with what is there, and then taken over.
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { type ImportedDnsZoneResponse, importDnsZone } from 'sdk'
import { Button } from '../../../components/button.tsx'
import { TextArea } from '../../../components/field.tsx'
import { LabelledSelect } from '../../../components/forms/labelled-select.tsx'
import { ErrorNotice } from '../../../components/notice.tsx'
import { Dialog } from '../../../components/popups/dialog.tsx'
import { problemsOf } from '../../../lib/api.ts'
import { useRecordChange } from '../../../lib/dns/record-queries.ts'
import { common } from '../../../messages/common-texts.ts'
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
  /** Of the records that the user sees. */
  serial: number
  onTaken: (answer: Answer) => void
  onClose: () => void
}

export default function ImportRecords({ domain, serial, onTaken, onClose }: Props) {
  const [text, setText] = useState('')
  const [mode, setMode] = useState<Mode>('merge')
  const [preview, setPreview] = useState<Preview | null>(null)
  const [isEmpty, setEmpty] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const change = useRecordChange<Answer>(domain)
  const send = (dry_run: boolean, if_match: string) => ({
    send: () => {
      const body = { zonefile: text, mode, dry_run }
      return importDnsZone({ path: { domain }, body, headers: { 'If-Match': if_match } })
    },
    done: ({ diff }: Answer) => texts.done(diff.length),
  })
  const take = ({ if_match }: Preview) =>
    change.mutate(send(false, if_match), {
      onSuccess: (answer) => {
        onTaken(answer)
        onClose()
      },
      onError: () => setPreview(null),
    })
  const compare = (event: FormEvent) => {
    event.preventDefault()
    if (change.isPending) return
    setEmpty(text.trim() === '')
    if (text.trim() === '') return focusProblem(form.current)
    const if_match = `"${serial}"`
    change.mutate(send(true, if_match), {
      onSuccess: (answer) => setPreview({ answer, if_match }),
      onError: () => focusProblem(form.current),
    })
  }
  if (preview)
    return (
      <Dialog open wide onClose={onClose} title={texts.title}>
        <Difference answer={preview.answer} isBusy={change.isPending} onTake={() => take(preview)}>
          <Button onClick={() => setPreview(null)}>{texts.back}</Button>
        </Difference>
      </Dialog>
    )
  const edit = (set: () => void) => {
    set()
    setEmpty(false)
    change.reset()
  }
  const problems = isEmpty ? [texts.empty] : problemsOf(change.error).slice(0, most_problems)
  return (
    <Dialog open wide onClose={onClose} title={texts.title} description={texts.text}>
      <form ref={form} onSubmit={compare} className="flex flex-col gap-4">
        <TextArea
          label={texts.lines}
          rows={10}
          placeholder={texts.example}
          problem={problems.length > 0 ? problems.join('\n') : undefined}
          value={text}
          onChange={(event) => {
            const { value } = event.currentTarget
            edit(() => setText(value))
          }}
        />
        <LabelledSelect
          label={texts.mode}
          value={mode}
          options={modes.map((value) => ({ value, label: texts.modes[value] }))}
          onChange={(value) => edit(() => setMode(value === 'replace' ? 'replace' : 'merge'))}
        />
        {change.isError && problems.length === 0 && <ErrorNotice error={change.error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" look="primary" busy={change.isPending}>
            {texts.preview}
          </Button>
        </div>
      </form>
    </Dialog>
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
