// Many records at once: pasted, compared with what is there, and then taken over.
import { type FormEvent, useState } from 'react'
import { type ChangedDnsRecordsResponse, changeDnsRecords } from 'sdk'
import { Button } from '../../../components/button.tsx'
import { TextArea } from '../../../components/field.tsx'
import { LabelledSelect } from '../../../components/forms/labelled-select.tsx'
import { ErrorNotice } from '../../../components/notice.tsx'
import { Dialog } from '../../../components/popups/dialog.tsx'
import { fieldProblems } from '../../../lib/api.ts'
import {
  bodyOf,
  type PasteMode,
  problemsByLine,
  readPasted,
} from '../../../lib/dns/pasted-records.ts'
import { useRecordChange } from '../../../lib/dns/record-queries.ts'
import { common } from '../../../messages/common.ts'
import { pasteTexts as texts } from '../../../messages/dns/paste-texts.ts'
import { recordTexts } from '../../../messages/dns/record-texts.ts'
import { RecordDifference } from './record-difference.tsx'
import { RecordWarnings } from './record-warnings.tsx'

const modes: readonly PasteMode[] = ['add', 'sets']
const most_problems = 10

type Props = {
  domain: string
  onTaken: (answer: ChangedDnsRecordsResponse) => void
  onClose: () => void
}

export default function PasteRecords({ domain, onTaken, onClose }: Props) {
  const [text, setText] = useState('')
  const [mode, setMode] = useState<PasteMode>('add')
  const [preview, setPreview] = useState<ChangedDnsRecordsResponse | null>(null)
  const change = useRecordChange(domain)
  const { records, unread } = readPasted(text, domain)
  const { body, lines } = bodyOf(records, mode)
  const send = (dry_run: boolean) => ({
    send: () => changeDnsRecords({ path: { domain }, body: { ...body, dry_run } }),
    done: ({ diff }: ChangedDnsRecordsResponse) => recordTexts.done.pasted(diff.length),
  })
  const take = () =>
    change.mutate(send(false), {
      onSuccess: (answer) => {
        onTaken(answer)
        onClose()
      },
      onError: () => setPreview(null),
    })
  if (preview)
    return (
      <Dialog open wide onClose={onClose} title={texts.title}>
        <Preview answer={preview} isBusy={change.isPending} onTake={take}>
          <Button onClick={() => setPreview(null)}>{texts.back}</Button>
        </Preview>
      </Dialog>
    )
  const compare = (event: FormEvent) => {
    event.preventDefault()
    if (records.length > 0 && unread.length === 0 && !change.isPending)
      change.mutate(send(true), { onSuccess: setPreview })
  }
  const edit = (set: () => void) => {
    set()
    change.reset()
  }
  const refused = problemsByLine(fieldProblems(change.error), lines)
  const problems = [
    ...unread.map((line) => texts.unread(line)),
    ...new Set(refused.map(({ line, problem }) => texts.at(line, problem))),
  ].slice(0, most_problems)
  return (
    <Dialog open wide onClose={onClose} title={texts.title} description={texts.text}>
      <form onSubmit={compare} className="flex flex-col gap-4">
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
          onChange={(value) => edit(() => setMode(value === 'sets' ? 'sets' : 'add'))}
        />
        {change.isError && refused.length === 0 && <ErrorNotice error={change.error} />}
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

type PreviewProps = {
  answer: ChangedDnsRecordsResponse
  isBusy: boolean
  onTake: () => void
  children: React.ReactNode
}

function Preview({ answer, isBusy, onTake, children }: PreviewProps) {
  const { diff } = answer
  return (
    <>
      {diff.length === 0 ? <p>{texts.same}</p> : <RecordDifference diff={diff} />}
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
