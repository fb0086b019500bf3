// The account's API key for MCP clients: its prefix, and a button that replaces the secret.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type DashboardConfigResponse, rotateMcpApiKey } from 'sdk'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { ConfirmDialog } from '../../components/popups/dialog.tsx'
import { useConfirmation } from '../../components/sign-in/confirm-owner.tsx'
import { SecretDialog } from '../../components/sign-in/secret-dialog.tsx'
import { answerOf } from '../../lib/api.ts'
import { routes } from '../../lib/routes.ts'
import { connectTexts } from '../../messages/connect-texts.ts'

const texts = connectTexts.key

export function McpKey({ config }: { config: DashboardConfigResponse }) {
  const queries = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const prefix = config.mcp.api_key_prefix
  const { confirmed, dialog } = useConfirmation()
  const rotate = useMutation({
    mutationFn: () => confirmed(() => answerOf(rotateMcpApiKey())),
    onSuccess: ({ mcp }) => {
      setAsked(false)
      setSecret(mcp.api_key ?? null)
      void queries.invalidateQueries({ queryKey: ['dashboard-config'] })
      void queries.invalidateQueries({ queryKey: ['api-keys'] })
    },
  })
  const ask = () => {
    if (prefix === null) rotate.mutate()
    else setAsked(true)
  }
  return (
    <Card title={texts.title} className="flex flex-col">
      <div className="flex flex-col items-start gap-3 p-5">
        <p className="text-muted">{prefix === null ? texts.none : texts.text}</p>
        {prefix !== null && (
          <>
            <code className="rounded-md border border-line bg-sunken px-3 py-1.5 font-mono text-sm">
              {prefix}…
            </code>
            <p className="text-muted">{texts.lost}</p>
          </>
        )}
        {rotate.isError && !isAsked && <ErrorNotice error={rotate.error} />}
        <Button busy={rotate.isPending} onClick={ask}>
          {prefix === null ? texts.create : texts.rotate}
        </Button>
        <Link href={routes.apiKeys} className="text-accent-ink underline">
          {texts.others}
        </Link>
      </div>
      {dialog}
      {!dialog && isAsked && prefix !== null && (
        <ConfirmDialog
          open
          onClose={() => setAsked(false)}
          title={texts.confirm}
          description={texts.lost}
          name={prefix}
          action={texts.rotate}
          busy={rotate.isPending}
          error={rotate.error}
          onConfirm={() => rotate.mutate()}
        />
      )}
      {secret !== null && (
        <SecretDialog value={secret} readsAccount onStored={() => setSecret(null)} />
      )}
    </Card>
  )
}
