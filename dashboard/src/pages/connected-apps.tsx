// Connected apps: consents of OAuth clients, with their rights, limits and last action, and their
// revocation. Clients chose their names themselves, so the names stay apart from our sentences
// (decision 21).
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type AuditLogResponse,
  listOauthGrants,
  type OAuthGrantResponse,
  revokeOauthGrant,
  updateOauthGrant,
} from 'sdk'
import { Link, useSearchParams } from 'wouter'
import { identityWords, scopeFacts } from '../../../shared/scopes.ts'
import { useAuditLog } from '../components/audit/audit-entries.ts'
import { AuditSentence } from '../components/audit/audit-sentence.tsx'
import { Badge } from '../components/badge.tsx'
import { Button, buttonClass } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { ChangeLimitsDialog } from '../components/limits/change-limits-dialog.tsx'
import { LimitList } from '../components/limits/limit-list.tsx'
import { ErrorNotice } from '../components/notice.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { RemovalDialog } from '../components/popups/removal-dialog.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { answerOf } from '../lib/api.ts'
import { formatAgo, formatDay, formatMoment } from '../lib/format.ts'
import { isLimited } from '../lib/limits/inherited.ts'
import { routes } from '../lib/routes.ts'
import { useServiceUrls } from '../lib/sign-in/service-facts.ts'
import { limitTexts } from '../messages/account/limit-texts.ts'
import { connectedAppTexts as texts } from '../messages/connected-app-texts.ts'

const grantsKey = ['oauth-grants'] as const

const firstPage: { cursor?: string } = {}

const nameOf = ({ client_name }: OAuthGrantResponse) => client_name.trim() || texts.unnamed

export default function ConnectedAppsPage() {
  const [asked, setAsked] = useState<OAuthGrantResponse | null>(null)
  const grants = useInfiniteQuery({
    queryKey: grantsKey,
    queryFn: ({ pageParam }) => answerOf(listOauthGrants({ query: pageParam })),
    initialPageParam: firstPage,
    getNextPageParam: ({ next_cursor }) => (next_cursor === null ? null : { cursor: next_cursor }),
  })
  const [search, setSearch] = useSearchParams()
  const list = grants.data?.pages.flatMap(({ oauth_grants }) => oauth_grants)
  // The open dialog is in the URL, since a log-in with a provider leaves the page.
  const limited = list?.find(({ id, revoked_at }) => !revoked_at && id === search.get('limits'))
  const limit = (id: string | null) => setSearch(id ? { limits: id } : {}, { replace: true })
  const connect = (
    <Link href={routes.connect} className={buttonClass('primary')}>
      {texts.connect}
    </Link>
  )
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} actions={connect} />
      {grants.isPending && <Skeleton lines={6} />}
      {grants.isError && <ErrorNotice error={grants.error} onRetry={() => void grants.refetch()} />}
      {list?.length === 0 && <NoApps />}
      <ul className="flex flex-col gap-4">
        {list?.map((grant) => (
          <App
            key={grant.id}
            grant={grant}
            onLimit={() => limit(grant.id)}
            onEnd={() => setAsked(grant)}
          />
        ))}
      </ul>
      {grants.hasNextPage && (
        <Button
          className="mt-4"
          busy={grants.isFetchingNextPage}
          onClick={() => void grants.fetchNextPage()}
        >
          {texts.more}
        </Button>
      )}
      {limited && <LimitApp grant={limited} onClose={() => limit(null)} />}
      {asked && <ConfirmEnd grant={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

type AppProps = { grant: OAuthGrantResponse; onLimit: () => void; onEnd: () => void }

function App({ grant, onLimit, onEnd }: AppProps) {
  const { redirect_host, created_at, last_used_at, revoked_at, scopes } = grant
  return (
    <li className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-5 shadow-card">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2">
            <bdi className="min-w-0 rounded-md border border-dashed border-edge px-2 py-0.5 font-medium break-words">
              {nameOf(grant)}
            </bdi>
            <span title={texts.unverifiedText}>
              <Badge tone="warn">{texts.unverified}</Badge>
            </span>
            {revoked_at !== null && <Badge tone="bad">{texts.disconnected}</Badge>}
          </p>
          <p className="mt-2 flex flex-wrap gap-x-3 text-sm text-muted">
            <span>{last_used_at ? texts.used(formatAgo(last_used_at)) : texts.neverUsed}</span>
            <span>{texts.connected(formatDay(created_at))}</span>
            <span className="break-all">{texts.sentTo(redirect_host)}</span>
          </p>
        </div>
        {revoked_at === null && (
          <div className="flex flex-wrap gap-2">
            <Button size="sm" aria-label={limitTexts.changeOf(nameOf(grant))} onClick={onLimit}>
              {limitTexts.change}
            </Button>
            <Button size="sm" aria-label={texts.disconnectOf(nameOf(grant))} onClick={onEnd}>
              {texts.disconnect}
            </Button>
          </div>
        )}
      </div>
      {revoked_at === null && <AppLimits grant={grant} />}
      <LastAction grant={grant} />
      <details className="text-sm">
        <summary className="w-fit cursor-pointer text-muted hover:text-ink">
          {texts.may} · {scopes.length}
        </summary>
        <ul className="mt-1.5 list-disc pl-5">
          {scopes.map((scope) => (
            <li key={scope}>{wordsOf(scope)}</li>
          ))}
        </ul>
      </details>
    </li>
  )
}

function AppLimits({ grant }: Pick<AppProps, 'grant'>) {
  const isFree = grant.scopes.includes('domains:purchase') && grant.spend_limit === null
  if (!isFree && !isLimited(grant)) return null
  return (
    <div>
      <p className="text-sm text-muted">{limitTexts.label}</p>
      <LimitList label={limitTexts.label} limits={grant}>
        {isFree && <li className="text-muted">{limitTexts.shown.none}</li>}
      </LimitList>
    </div>
  )
}

function LimitApp({ grant, onClose }: { grant: OAuthGrantResponse; onClose: () => void }) {
  return (
    <ChangeLimitsDialog
      name={nameOf(grant)}
      limits={grant}
      save={(body) => answerOf(updateOauthGrant({ path: { id: grant.id }, body }))}
      stale={grantsKey}
      onClose={onClose}
    />
  )
}

/**
 * An app chooses its own name, so its entries are found by its client id. As the API has no filter
 * for that, the latest entries are searched. Reads are not audited.
 */
function LastAction({ grant }: Pick<AppProps, 'grant'>) {
  const { data } = useAuditLog({ limit: searched_entries })
  if (!data) return null
  const entries = data.pages.flatMap(({ audit_logs }) => audit_logs)
  const last = entries.find(
    ({ actor_type, metadata }) =>
      actor_type === 'oauth_client' && metadata.oauth_client_id === grant.client_id,
  )
  if (!last && grant.last_used_at === null) return null
  const isComplete = entries.length < searched_entries || isBefore(entries.at(-1), grant)
  return (
    <div className="text-sm">
      <p className="text-muted">{texts.lastAction}</p>
      {last ? (
        <p className="flex flex-wrap items-baseline gap-x-2">
          <AuditSentence entry={last} />
          <time dateTime={last.created_at} title={formatMoment(last.created_at)}>
            {formatAgo(last.created_at)}
          </time>
        </p>
      ) : (
        <p>{isComplete ? texts.onlyReads : texts.noRecent(entries.length)}</p>
      )}
    </div>
  )
}

const searched_entries = 500

function isBefore(entry: AuditLogResponse | undefined, { created_at }: OAuthGrantResponse) {
  return entry !== undefined && entry.created_at < created_at
}

const words = new Map<string, string>([
  ...Object.entries(scopeFacts).map(([scope, facts]): [string, string] => [scope, facts.words]),
  ...Object.entries(identityWords),
])

/** The words of a scope. A scope that is newer than this page is shown by its own name. */
function wordsOf(scope: string): string {
  return words.get(scope) ?? scope
}

function ConfirmEnd({ grant, onClose }: { grant: OAuthGrantResponse; onClose: () => void }) {
  const name = nameOf(grant)
  return (
    <RemovalDialog
      title={texts.disconnectOf(name)}
      text={texts.disconnectText}
      name={name}
      action={texts.disconnect}
      done={texts.done(name)}
      remove={() => answerOf(revokeOauthGrant({ path: { id: grant.id } }))}
      stale={[grantsKey, ['api-keys']]}
      onClose={onClose}
    />
  )
}

function NoApps() {
  const { mcp_endpoint } = useServiceUrls()
  const code = `claude mcp add --transport http registrar ${mcp_endpoint}`
  const action = (
    <Link href={routes.connect} className={buttonClass('primary')}>
      {texts.connect}
    </Link>
  )
  return <EmptyState icon="apps" {...texts.empty} action={action} curl={code} />
}
