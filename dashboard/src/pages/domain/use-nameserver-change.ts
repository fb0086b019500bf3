// A change of name servers in two steps. The service first compares the old and the new servers,
// and the findings are shown if something would stop working or is unknown; then the change is
// made.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type DomainStatusResponse,
  type NameserverPreflight,
  type UpdateNameserversRequest,
  updateDomain,
} from 'sdk'
import { ApiError, answerOf } from '../../lib/api.ts'
import { storeDomain } from '../../lib/domains/domain-queries.ts'
import { confirmed } from '../../lib/sign-in/confirmed.ts'
import { showToast } from '../../lib/toasts.ts'
import { preflightTexts } from '../../messages/dns/preflight-texts.ts'
import { domainPageTexts } from '../../messages/domain-page-texts.ts'
import { waitingKey } from './waiting-nameservers.tsx'

const texts = domainPageTexts.nameservers

type NameserverChange = { body: UpdateNameserversRequest; isUndo: boolean }
/** `found` is null if the servers could not be compared. */
type Checked = { body: UpdateNameserversRequest; found: NameserverPreflight | null }

export function useNameserverChange({ domain: name, nameservers }: DomainStatusResponse) {
  const [checked, setChecked] = useState<Checked | null>(null)
  const queries = useQueryClient()
  const path = { domain: name }
  const change = useMutation({
    mutationFn: ({ body }: NameserverChange) =>
      confirmed(() => answerOf(updateDomain({ path, body }))),
    onSuccess: async (answer, { isUndo }) => {
      await queries.invalidateQueries({ queryKey: waitingKey(name) })
      if (answer.waiting) {
        showToast({ title: preflightTexts.waits(name) })
        return
      }
      const undo = () => change.mutate({ body: { nameservers }, isUndo: true })
      showToast(isUndo ? { title: texts.restored(name) } : { title: texts.saved(name), undo })
      await storeDomain(queries, answer)
    },
  })
  const make = (body: UpdateNameserversRequest) => {
    setChecked(null)
    change.mutate({ body, isUndo: false })
  }
  const check = useMutation({
    mutationFn: (body: UpdateNameserversRequest) =>
      answerOf(updateDomain({ path, body: { ...body, dry_run: true } })),
    onSuccess: ({ preflight: found = null }, body) =>
      found?.served ? make(body) : setChecked({ body, found }),
    onError: (error, body) => {
      if (error instanceof ApiError && error.failure.code === 'preflight_limited')
        setChecked({ body, found: null })
    },
  })
  return {
    ...{ checked, make },
    wait: (body: UpdateNameserversRequest) => make({ ...body, require_served: true }),
    check: (body: UpdateNameserversRequest) => {
      change.reset()
      check.mutate(body)
    },
    cancel: () => setChecked(null),
    busy: check.isPending || change.isPending,
    error: checked ? null : (change.error ?? check.error),
  }
}
