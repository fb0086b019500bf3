// Focus on the first field that a response refuses, also within a section that is closed: the
// screen reader then says its message.
import { type RefObject, useEffect, useRef } from 'react'
import { ApiError } from '../../lib/api.ts'

export function useFirstInvalid(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (!(error instanceof ApiError)) return
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    const section = field?.closest('details')
    if (section) section.open = true
    field?.focus()
  }, [error])
  return form
}
