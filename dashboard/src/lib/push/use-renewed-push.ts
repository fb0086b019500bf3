// Keeps the notifications of this browser on from one session to the next, once for each load.
import { useEffect } from 'react'
import { useAccount } from '../account.ts'
import { readServiceFacts } from '../sign-in/service-facts.ts'
import { rememberedPush } from './remembered.ts'

/** It loads more code only if notifications are on. */
export function useRenewedPush(): void {
  const { id } = useAccount()
  useEffect(() => {
    if (rememberedPush(id) !== null) void renew(id)
  }, [id])
}

async function renew(customer_id: string): Promise<void> {
  const facts = await readServiceFacts()
  const key = facts.state === 'read' ? facts.service.vapid_public_key : null
  if (key === null) return
  const { renewPush } = await import('./this-browser.ts')
  // The settings show the state of push, and the next load tries again.
  await renewPush(customer_id, key).catch(() => undefined)
}
