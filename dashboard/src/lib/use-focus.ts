// Focus in the field that a page is opened for, once the page is rendered. It comes after the focus
// of the page's header, since effects run in the order of the page.
import { useEffect, useRef, useState } from 'react'

/** On a touch screen nothing is focused, because the keyboard would cover the page. */
export function useFocus<Element extends HTMLElement>(isWanted = true) {
  const field = useRef<Element>(null)
  const [isFocused] = useState(isWanted)
  useEffect(() => {
    if (isFocused && !matchMedia('(pointer: coarse)').matches)
      field.current?.focus({ preventScroll: true })
  }, [isFocused])
  return field
}
