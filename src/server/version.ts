/** The Kubernetes whose API this server speaks. */
export const KUBERNETES_VERSION = 'v1.37.1'
