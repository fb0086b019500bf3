// Dialog that imports the records of a domain from its present name servers in three steps: it
// finds them, compares them with the records here, and stores them.
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type DnsScanResponse, type ImportedDnsZoneResponse, importDnsZone, scanDnsZone } from 'sdk'
import { Link } from 'wouter'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Callout } from '../../../components/callout.tsx'
import { ErrorNotice } from '../../../components/notice.tsx'
import { Dialog } from '../../../components/popups/dialog.tsx'
import { Stepper } from '../../../components/stepper.tsx'
import { answerOf } from '../../../lib/api.ts'
import { saveFile } from '../../../lib/csv.ts'
import { useRecordChange } from '../../../lib/dns/record-queries.ts'
import { domainPath } from '../../../lib/routes.ts'
import { scanTexts as texts } from '../../../messages/dns/scan-texts.ts'
import { RecordDifference } from './record-difference.tsx'
import { ScanFindings } from './scan-findings.tsx'

type Answer = ImportedDnsZoneResponse
type Props = {
  domain: string
  /** Whether the domain has not arrived yet, so that the records can only be saved to a file. */
  isEarly?: boolean
  onTaken?: (answer: Answer) => void
  onClose: () => void
}

export default function ScanRecords({ domain, isEarly = false, onTaken, onClose }: Props) {
  const records = useScan({ domain, isEarly, onTaken })
  const { scan, taken, change } = records
  const { data: found } = scan
  const step = taken ? 2 : found && !scan.isPending ? 1 : 0
  return (
    <Dialog open wide onClose={onClose} title={texts.title}>
      <Stepper
        label={texts.stepsLabel}
        steps={texts.steps}
        current={step}
        words={{ current: texts.current, done: texts.done }}
      />
      {step === 0 && <Start scan={scan} onStart={records.restart} onClose={onClose} />}
      {step === 1 && found && (
        <Comparison found={found}>
          {change.isError && <ErrorNotice error={change.error} />}
          {isEarly && <p>{texts.early}</p>}
          {records.compared && <Difference answer={records.compared} />}
          {!isEarly && found.zonefile === null && <Callout tone="warn" title={texts.tooLong} />}
          <ComparisonButtons {...{ domain, isEarly, found, records }} />
        </Comparison>
      )}
      {taken && <Taken domain={domain} sets={taken.diff.length} onClose={onClose} />}
    </Dialog>
  )
}

type ScanProps = {
  domain: string
  isEarly: boolean
  onTaken: ((answer: Answer) => void) | undefined
}

/** The scan, and the two requests about its result: a dry run, then the change itself. */
function useScan({ domain, isEarly, onTaken }: ScanProps) {
  const [compared, setCompared] = useState<Answer | null>(null)
  const [taken, setTaken] = useState<Answer | null>(null)
  const change = useRecordChange<Answer>(domain)
  const send = (zonefile: string, dry_run: boolean) => ({
    send: () => importDnsZone({ path: { domain }, body: { zonefile, dry_run } }),
    done: ({ diff }: Answer) => texts.taken(diff.length),
  })
  const scan = useMutation({
    mutationFn: () => answerOf(scanDnsZone({ path: { domain } })),
    onSuccess: ({ zonefile, sets }) => {
      if (!isEarly && zonefile !== null && sets.length > 0)
        change.mutate(send(zonefile, true), { onSuccess: setCompared })
    },
  })
  return {
    ...{ scan, compared, taken, change },
    restart: () => {
      change.reset()
      setCompared(null)
      scan.mutate()
    },
    take: () => {
      if (!scan.data?.zonefile) return
      const done = (answer: Answer) => {
        setTaken(answer)
        onTaken?.(answer)
      }
      change.mutate(send(scan.data.zonefile, false), { onSuccess: done })
    },
  }
}

type ButtonsProps = {
  domain: string
  isEarly: boolean
  found: DnsScanResponse
  records: ReturnType<typeof useScan>
}

function ComparisonButtons({ domain, isEarly, found, records }: ButtonsProps) {
  const { change, compared, restart, take } = records
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button disabled={change.isPending} onClick={restart}>
        {texts.again}
      </Button>
      {isEarly && found.zonefile !== null && found.sets.length > 0 && (
        <Button look="primary" onClick={() => saveZone(domain, found)}>
          {texts.save}
        </Button>
      )}
      {compared && compared.diff.length > 0 && (
        <Button look="primary" busy={change.isPending} onClick={take}>
          {texts.take(compared.diff.length)}
        </Button>
      )}
    </div>
  )
}

function saveZone(domain: string, { zonefile }: DnsScanResponse): void {
  saveFile(`${domain}.zone`, new Blob([zonefile ?? '']))
}

type StartProps = {
  scan: { isPending: boolean; error: unknown }
  onStart: () => void
  onClose: () => void
}

function Start({ scan: { isPending, error }, onStart, onClose }: StartProps) {
  return (
    <>
      <p role="status">{isPending ? texts.asking : texts.text}</p>
      {error !== null && !isPending && <ErrorNotice error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{texts.close}</Button>
        <Button look="primary" busy={isPending} onClick={onStart}>
          {texts.start}
        </Button>
      </div>
    </>
  )
}

/** Moves the focus to each step, since the button that led to it is gone. */
function useFocus() {
  const place = useRef<HTMLHeadingElement>(null)
  useEffect(() => place.current?.focus(), [])
  return place
}

function Comparison({ found, children }: { found: DnsScanResponse; children: ReactNode }) {
  const heading = useFocus()
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className="font-medium">
        {texts.found(found.sets.length)}
      </h3>
      <ScanFindings scan={found} />
      {children}
    </>
  )
}

function Difference({ answer: { diff } }: { answer: Answer }) {
  if (diff.length === 0) return <p>{texts.same}</p>
  return (
    <section aria-label={texts.differs} className="flex flex-col gap-3">
      <h3 className="font-medium">{texts.differs}</h3>
      <RecordDifference diff={diff} />
    </section>
  )
}

type TakenProps = { domain: string; sets: number; onClose: () => void }

function Taken({ domain, sets, onClose }: TakenProps) {
  const heading = useFocus()
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className="font-medium">
        {texts.taken(sets)}
      </h3>
      <p>{texts.takenText}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{texts.close}</Button>
        <Link href={`${domainPath(domain)}?tab=nameservers`} className={buttonClass('primary')}>
          {texts.nameservers}
        </Link>
      </div>
    </>
  )
}
