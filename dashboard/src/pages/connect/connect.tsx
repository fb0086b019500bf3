// Page that connects an agent: set-up of the usual MCP clients to copy, and the account's key for
// clients that cannot log in.
import { useQuery } from '@tanstack/react-query'
import { getDashboardConfig } from 'sdk'
import { Link, useSearchParams } from 'wouter'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Select } from '../../components/forms/select.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RegistrantNotice } from '../../components/registrant-notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatDay } from '../../lib/format.ts'
import { routes } from '../../lib/routes.ts'
import { useIsNarrow } from '../../lib/use-media.ts'
import { connectTexts as texts } from '../../messages/connect-texts.ts'
import { type McpClient, mcpClients } from '../../messages/mcp-clients.ts'
import { McpKey } from './mcp-key.tsx'

export default function ConnectPage() {
  const config = useQuery({
    queryKey: ['dashboard-config'],
    queryFn: () => answerOf(getDashboardConfig()),
  })
  const apps = (
    <Link href={routes.connectedApps} className={buttonClass()}>
      {texts.apps}
    </Link>
  )
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} actions={apps} />
      <RegistrantNotice />
      {config.isPending && <Skeleton lines={8} />}
      {config.isError && <ErrorNotice error={config.error} onRetry={() => void config.refetch()} />}
      {config.data && (
        <div className="grid items-start gap-5">
          <Clients endpoint={config.data.mcp.endpoint} />
          <McpKey config={config.data} />
        </div>
      )}
    </>
  )
}

/**
 * Clients as tabs, or as a select if tabs would not fit. The client is in the URL, so that links
 * can name it.
 */
function Clients({ endpoint }: { endpoint: string }) {
  const [search, setSearch] = useSearchParams()
  const isNarrow = useIsNarrow()
  const [first] = mcpClients
  const client = mcpClients.find(({ id }) => id === search.get('client')) ?? first
  if (client === undefined) return null
  const choose = (id: string) => setSearch({ client: id }, { replace: true })
  if (isNarrow)
    return (
      <Card className="flex flex-col gap-4 p-5">
        <Select
          label={texts.client}
          value={client.id}
          options={mcpClients.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={choose}
        />
        <SetUp client={client} endpoint={endpoint} />
      </Card>
    )
  const tabs = mcpClients.map((one) => ({
    value: one.id,
    label: one.name,
    content: <SetUp client={one} endpoint={endpoint} />,
  }))
  return (
    <Card className="p-5 pt-2">
      <Tabs label={texts.client} value={client.id} onChange={choose} tabs={tabs} />
    </Card>
  )
}

/** Whether the endpoint cannot be reached from a vendor's servers. */
function isPrivate(endpoint: string): boolean {
  const { protocol, hostname } = new URL(endpoint)
  return protocol !== 'https:' || /^(localhost|127\.|\[::1\])/.test(hostname)
}

function SetUp({ client, endpoint }: { client: McpClient; endpoint: string }) {
  const { steps, snippets, link, withKey, isRemote, checked_on } = client
  const button = link?.(endpoint)
  const other = withKey?.(endpoint)
  return (
    <div className="flex flex-col gap-4">
      {isRemote && isPrivate(endpoint) && (
        <p className="rounded-lg bg-warn-soft px-4 py-3 text-warn">{texts.remote}</p>
      )}
      <ol className="list-decimal space-y-1 pl-5">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {button && (
        <a href={button.href} className={`${buttonClass('primary')} self-start`}>
          {button.label}
        </a>
      )}
      {snippets(endpoint).map((snippet) => (
        <Labelled key={snippet.label} {...snippet} />
      ))}
      {other && (
        <details>
          <summary className="w-fit cursor-pointer font-medium">{texts.withKey}</summary>
          <p className="my-2 text-muted">{texts.withKeyText}</p>
          <Labelled {...other} />
        </details>
      )}
      <p className="text-sm text-muted">{texts.checked(formatDay(checked_on))}</p>
    </div>
  )
}

function Labelled({ label, code }: { label: string; code: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <p className="text-sm text-muted">{label}</p>
      <CodeBlock code={code} label={label} />
    </div>
  )
}
