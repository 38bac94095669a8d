/** Calls `show` when an element comes near the visible part, once. */
export function whenNear(show: () => void): (element: Element) => () => void {
  return (element) => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && show(), { rootMargin: "600px" });
    observer.observe(element);
    return () => observer.disconnect();
  };
}
