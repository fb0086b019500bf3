// Tab with the records of a domain, which can be filtered, edited in place, deleted, and added one
// by one or many at once.
import { useRef, useState } from 'react'
import {
  type ChangedDnsRecordsResponse,
  type DnsRecords,
  deleteRecordSet,
  exportDnsZone,
  type ListDnsRecordSetsResponse,
} from 'sdk'
import { useSearchParams } from 'wouter'
import { Button } from '../../../components/button.tsx'
import { DownloadButton } from '../../../components/download-button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { inputClass } from '../../../components/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Icon } from '../../../components/icon.tsx'
import { ErrorNotice } from '../../../components/notice.tsx'
import { PartPlace } from '../../../components/part-place.tsx'
import { answerOf } from '../../../lib/api.ts'
import {
  isChangedSince,
  ownOf,
  type SetPlace,
  setName,
  useRecordChange,
} from '../../../lib/dns/record-queries.ts'
import { readable } from '../../../lib/dns/value-forms.ts'
import { earlyPart } from '../../../lib/parts/lazy-part.ts'
import { useServiceUrls } from '../../../lib/sign-in/service-facts.ts'
import { useUrlFilters } from '../../../lib/url-filters.ts'
import { importTexts } from '../../../messages/dns/import-texts.ts'
import { recordTexts as texts } from '../../../messages/dns/record-texts.ts'
import { scanTexts } from '../../../messages/dns/scan-texts.ts'
import { templateTexts } from '../../../messages/dns/template-texts.ts'
import { ChangedMeanwhile } from './changed-meanwhile.tsx'
import { RecordTable } from './record-table.tsx'
import { RecordWarnings } from './record-warnings.tsx'

const AddRecord = earlyPart(() => import('./add-record.tsx'))
const ImportRecords = earlyPart(() => import('./import-records.tsx'))
const ScanRecords = earlyPart(() => import('./scan-records.tsx'))
const UseTemplate = earlyPart(() => import('./use-template.tsx'))

/** A list of at most this length needs no filter. */
const few = 10

type Open = 'add' | 'import' | 'template' | 'scan' | null

export function RecordsTab({ domain, hosted, serial, sets }: ListDnsRecordSetsResponse) {
  const [search, setSearch] = useSearchParams()
  const [open, setOpen] = useState<Open>(search.has('find') ? 'scan' : null)
  const [edited, edit] = useState<string | null>(null)
  const [answer, setAnswer] = useState<ChangedDnsRecordsResponse | null>(null)
  const top = useRef<HTMLDivElement>(null)
  const removal = useRemoval(domain, setAnswer)
  const own = ownOf(sets)
  const close = () => {
    setOpen(null)
    top.current?.querySelector('button')?.focus()
  }
  const lost = goneOf(edited, sets) ?? removal.lost
  return (
    <div className="flex flex-col gap-4">
      <div ref={top} className="flex flex-wrap gap-2">
        <OpenButtons {...{ open, hosted }} onOpen={setOpen} />
        {own.length > 0 && <SaveFile domain={domain} />}
      </div>
      {open === 'add' && (
        <PartPlace>
          <AddRecord
            domain={domain}
            onClose={close}
            onAdded={(added) => {
              setAnswer(added)
              close()
            }}
          />
        </PartPlace>
      )}
      <Many
        {...{ open, domain, serial }}
        onClose={() => {
          setOpen(null)
          if (search.has('find')) setSearch({}, { replace: true })
        }}
        onTaken={setAnswer}
      />
      {answer && <RecordWarnings answer={answer} onClose={() => setAnswer(null)} />}
      {lost && <Lost domain={domain} place={lost} sets={sets} />}
      {removal.error !== null && <ErrorNotice error={removal.error} />}
      {own.length === 0 && open !== 'add' && (
        <div className="min-w-0">
          <NoRecords domain={domain} />
        </div>
      )}
      <Filtered sets={sets}>
        {(shown) => (
          <RecordTable
            domain={domain}
            sets={shown}
            edited={edited}
            onEdit={(name) => {
              edit(name)
              if (name === null) focusEdited(edited)
            }}
            onRemove={removal.remove}
            onChanged={setAnswer}
          />
        )}
      </Filtered>
    </div>
  )
}

/** The edited set if somebody else has deleted it, which also closed its form. */
function goneOf(edited: string | null, sets: readonly DnsRecords[]): SetPlace | null {
  if (edited === null || sets.some((one) => setName(one) === edited)) return null
  const [host = '', type = ''] = edited.split(' ')
  return { host, type }
}

type OpenProps = { open: Open; hosted: boolean; onOpen: (open: Open) => void }

function OpenButtons({ open, hosted, onOpen }: OpenProps) {
  return (
    <>
      <Button look="primary" aria-expanded={open === 'add'} onClick={() => onOpen('add')}>
        <Icon name="plus" />
        {texts.add}
      </Button>
      {!hosted && <Button onClick={() => onOpen('scan')}>{scanTexts.open}</Button>}
      <Button onClick={() => onOpen('import')}>{texts.paste}</Button>
      <Button onClick={() => onOpen('template')}>{templateTexts.open}</Button>
    </>
  )
}

type ManyProps = {
  open: Open
  domain: string
  serial: number
  onClose: () => void
  onTaken: (answer: ChangedDnsRecordsResponse) => void
}

/** The dialogs that change many records at once. */
function Many({ open, ...props }: ManyProps) {
  if (open === null || open === 'add') return null
  return (
    <PartPlace>
      {open === 'import' && <ImportRecords {...props} />}
      {open === 'template' && <UseTemplate {...props} />}
      {open === 'scan' && <ScanRecords {...props} />}
    </PartPlace>
  )
}

/** Moves the focus back to the button that opened the form, once it is rendered again. */
function focusEdited(name: string | null): void {
  requestAnimationFrame(() => {
    const buttons = document.querySelectorAll<HTMLElement>('button[data-set]')
    Array.from(buttons)
      .find((one) => one.dataset.set === name)
      ?.focus()
  })
}

function useRemoval(domain: string, onRemoved: (answer: ChangedDnsRecordsResponse) => void) {
  const [place, setPlace] = useState<SetPlace | null>(null)
  const change = useRecordChange(domain)
  const remove = ({ host, type, etag }: DnsRecords) => {
    setPlace({ host, type })
    change.mutate(
      {
        send: () =>
          deleteRecordSet({ path: { domain, host, type }, headers: { 'If-Match': etag } }),
        done: () => texts.done.removed(setName({ host, type })),
      },
      { onSuccess: onRemoved },
    )
  }
  const isChanged = isChangedSince(change.error)
  return { remove, lost: isChanged ? place : null, error: isChanged ? null : change.error }
}

type LostProps = { domain: string; place: SetPlace; sets: readonly DnsRecords[] }

function Lost({ domain, place, sets }: LostProps) {
  const present = sets.find((one) => setName(one) === setName(place))
  return <ChangedMeanwhile domain={domain} set={present ?? place} next={texts.notDeleted} />
}

type FilteredProps = {
  sets: readonly DnsRecords[]
  children: (shown: readonly DnsRecords[]) => React.ReactNode
}

function Filtered({ sets, children }: FilteredProps) {
  const { textOf, set, clear } = useUrlFilters()
  const [q, type] = [textOf('q'), textOf('type')]
  const isShort = sets.length <= few && q === '' && type === ''
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = sets.filter((one) => {
    if (type !== '' && one.type !== type) return false
    const values = one.values.map((value) => readable(one.type, value))
    const text = [one.host, one.type, ...values].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const types = [...new Set(sets.map((one) => one.type))].toSorted()
  return (
    <>
      <search className={isShort ? 'hidden' : 'flex flex-wrap gap-2'}>
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={q}
          onChange={(event) => set('q', event.currentTarget.value)}
          className={`${inputClass} sm:max-w-72`}
        />
        <Select
          label={texts.type}
          value={type}
          options={[
            { value: '', label: texts.anyType },
            ...types.map((one) => ({ value: one, label: one })),
          ]}
          onChange={(value) => set('type', value)}
        />
      </search>
      {shown.length < sets.length && (
        <p role="status" className="text-sm text-muted">
          {texts.shown(shown.length, sets.length)}
        </p>
      )}
      {shown.length === 0 && sets.length > 0 ? (
        <EmptyState
          icon="search"
          title={texts.nothing}
          text={texts.nothingText}
          action={<Button onClick={clear}>{texts.clear}</Button>}
        />
      ) : (
        children(shown)
      )}
    </>
  )
}

function SaveFile({ domain }: { domain: string }) {
  return (
    <DownloadButton
      size="md"
      file={`${domain}.zone`}
      load={async () => new Blob([await answerOf(exportDnsZone({ path: { domain } }))])}
      label={importTexts.saveOf(domain)}
      failed={importTexts.notSaved}
    >
      {importTexts.save}
    </DownloadButton>
  )
}

function NoRecords({ domain }: { domain: string }) {
  const { base_url } = useServiceUrls()
  const curl = `curl -X PATCH ${base_url}/v1/domains/${domain}/records \\
  -H "Authorization: Bearer $API_KEY" \\
  --json '{"add":[{"host":"@","type":"A","value":"192.0.2.1"}]}'`
  return <EmptyState icon="globe" title={texts.none} text={texts.noneText} curl={curl} />
}
