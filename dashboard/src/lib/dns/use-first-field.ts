// Focus in the first field of a form that the user has just opened.
import { type RefObject, useEffect } from 'react'

export function useFirstField(form: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    form.current
      ?.querySelector<HTMLElement>('input, textarea, select')
      ?.focus({ preventScroll: true })
  }, [form])
}
