// Container of every popup, inside <main>, so that a screen reader finds them in a landmark.
import { createContext, type RefObject, useContext } from 'react'

export const PopupContainer = createContext<RefObject<HTMLDivElement | null> | undefined>(undefined)

export function usePopupContainer(): RefObject<HTMLDivElement | null> | undefined {
  return useContext(PopupContainer)
}

export const popupClass =
  'rounded-lg border border-line bg-raised shadow-popup outline-none ' +
  'transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0'
export const itemClass =
  'flex min-h-8 w-full items-center gap-2.5 rounded-md px-2.5 py-1 text-left outline-none ' +
  'select-none data-highlighted:bg-accent-soft data-highlighted:text-accent-ink'
