// The DNS page of a domain: its records, and the history of their changes.
import { Link, useParams, useSearchParams } from 'wouter'
import { buttonClass } from '../../../components/button.tsx'
import { Callout } from '../../../components/callout.tsx'
import { ErrorNotice } from '../../../components/notice.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { PartPlace } from '../../../components/part-place.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { ownOf, useRecords } from '../../../lib/dns/record-queries.ts'
import { useDomain } from '../../../lib/domains/domain-queries.ts'
import { earlyPart } from '../../../lib/parts/lazy-part.ts'
import { domainPath } from '../../../lib/routes.ts'
import { recordTexts as texts } from '../../../messages/dns/record-texts.ts'
import { RecordsTab } from './records-tab.tsx'
import { UnconfirmedChanges } from './unconfirmed-changes.tsx'

const DnsHistory = earlyPart(() => import('./dns-history.tsx'))

export default function DnsPage() {
  const { domain: name = '' } = useParams()
  const records = useRecords(name)
  const domain = useDomain(name)
  const { data, isPending, isError, error, refetch } = records
  const shown = domain.data?.domain_unicode ?? name
  return (
    <>
      <Link
        href={domainPath(name)}
        className="mb-2 inline-block text-sm break-all text-accent-ink hover:underline"
      >
        {shown}
      </Link>
      <PageHeader
        title={texts.title(shown)}
        subtitle={data && <span role="status">{texts.count(ownOf(data.sets).length)}</span>}
      />
      {isPending && <Skeleton lines={8} />}
      {isError && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data?.hosted === false && <Elsewhere domain={name} />}
      {data && <UnconfirmedChanges domain={name} />}
      {data && <Parts records={data} />}
    </>
  )
}

function Elsewhere({ domain }: { domain: string }) {
  return (
    <div className="mb-5">
      <Callout tone="warn" title={texts.elsewhere}>
        <p>{texts.elsewhereText}</p>
        <Link
          href={`${domainPath(domain)}?tab=nameservers`}
          className={`${buttonClass('secondary', 'sm')} mt-2`}
        >
          {texts.wayBack}
        </Link>
      </Callout>
    </div>
  )
}

function Parts({ records }: { records: NonNullable<ReturnType<typeof useRecords>['data']> }) {
  const [search, setSearch] = useSearchParams()
  return (
    <Tabs
      label={texts.sections}
      value={search.get('tab') === 'history' ? 'history' : 'records'}
      onChange={(tab) => setSearch(tab === 'records' ? {} : { tab }, { replace: true })}
      tabs={[
        { value: 'records', label: texts.tabs.records, content: <RecordsTab {...records} /> },
        {
          value: 'history',
          label: texts.tabs.history,
          content: (
            <PartPlace skeleton={<Skeleton />}>
              <DnsHistory domain={records.domain} />
            </PartPlace>
          ),
        },
      ]}
    />
  )
}
