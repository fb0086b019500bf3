// The number of DNS records that a domain has on our name servers, with a link to their page.
import { Link } from 'wouter'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { ownOf, useRecords } from '../../lib/dns/record-queries.ts'
import { dnsPath } from '../../lib/routes.ts'
import { scanTexts } from '../../messages/dns/scan-texts.ts'
import { domainPageTexts } from '../../messages/domain-page-texts.ts'

const texts = domainPageTexts.records

export function DnsSummary({ domain }: { domain: string }) {
  const { data, isPending, isError, error, refetch } = useRecords(domain)
  const count = ownOf(data?.sets ?? []).length
  return (
    <Card title={texts.title}>
      {isPending && <Skeleton />}
      <div className="flex flex-col items-start gap-4 p-5 empty:hidden">
        {isError && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {data && (
          <>
            <p>
              <span className="font-medium">{texts.count(count)}</span>{' '}
              {data.hosted ? texts.served : texts.kept}
            </p>
            <div className="flex flex-wrap gap-2">
              <Link href={dnsPath(domain)} className={buttonClass()}>
                {texts.open}
              </Link>
              {!data.hosted && (
                <Link href={`${dnsPath(domain)}?find`} className={buttonClass()}>
                  {scanTexts.open}
                </Link>
              )}
            </div>
          </>
        )}
      </div>
    </Card>
  )
}
